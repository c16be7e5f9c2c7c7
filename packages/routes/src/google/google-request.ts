import type { GatewayRequest } from '../gateway-request.ts';

/** The versions that client libraries put before a path; both mean the same here. */
const version = /^\/v1(?:beta)?(?=\/)/;
/** Uploads have a path of their own, with the version behind it. */
const uploadVersion = /^\/upload(?:\/v1(?:beta)?)?(?=\/)/;

/** A path of the contract, and whether it was asked for by an alias. */
interface ContractPath {
  readonly path: string;
  readonly aliased: boolean;
}

/** `/v1` and `/v1beta` stand below the base path, or at the root where the host mounts the gateway there. */
const contractPath = (basePath: string, path: string): ContractPath => {
  const isBelow = path.startsWith(`${basePath}/`);
  const rest = isBelow ? path.slice(basePath.length) : path;
  if (uploadVersion.test(rest)) return { path: `${basePath}${rest.replace(uploadVersion, '/upload')}`, aliased: true };
  return version.test(rest)
    ? { path: `${basePath}${rest.replace(version, '')}`, aliased: true }
    : { path, aliased: false };
};

/** The key comes as a Bearer credential or in the header of these clients; a key in the address is never read. */
const headerOf = (request: GatewayRequest, name: string): string | null => {
  const value = request.header(name);
  if (name !== 'authorization' || value !== null) return value;
  const key = request.header('x-goog-api-key');
  return key === null ? null : `Bearer ${key}`;
};

/**
 * The request of a Google client as one of the contract, or null where another client asks. They are told by an alias of the
 * path, or by headers that only they send.
 */
export const fromGoogleRequest = (basePath: string, request: GatewayRequest): GatewayRequest | null => {
  const { path, aliased } = contractPath(basePath, request.path);
  const isMarked = request.header('x-goog-api-key') !== null || request.header('x-goog-api-client') !== null;
  if (!aliased && !isMarked) return null;
  return {
    method: request.method,
    path,
    query: request.query,
    ...(request.origin === undefined ? {} : { origin: request.origin }),
    dialect: 'google',
    header: (name) => headerOf(request, name),
    readBody: (bytesMax) => request.readBody(bytesMax),
    readBodyChunks: (bytesMax) => request.readBodyChunks(bytesMax),
    isGone: () => request.isGone(),
  };
};
