import { belowBase } from '../../below-base.ts';
import type { GatewayRequest } from '../../gateway-request.ts';
import { withKeyHeader } from '../key-header.ts';
import { downloadOf } from './videos/video-file.ts';

/** The versions that client libraries put before a path; all mean the same here. */
const version = /^\/v1(?:alpha|beta)?(?=\/)/;
/** Uploads have a path of their own, with the version behind it. */
const uploadVersion = /^\/upload(?:\/v1(?:beta)?)?(?=\/)/;

/** What a path is once its version is taken off. */
interface ContractPath {
  readonly path: string;
  /** Whether only clients of this dialect ask so: by their own version, their upload path, or a method behind a colon. */
  readonly isTheirs: boolean;
}

/** `/v1` is before the paths of other clients too. */
const ownVersion = /^\/v1(?:alpha|beta)\//;
const ownMethod = /(?::|%3[aA])\w+$/;

/** `/v1` and `/v1beta` stand below the base path, or at the root where the host mounts the gateway there. */
const contractPath = (basePath: string, path: string): ContractPath => {
  const rest = belowBase(basePath, path) ?? path;
  if (uploadVersion.test(rest)) return { path: `${basePath}${rest.replace(uploadVersion, '/upload')}`, isTheirs: true };
  if (!version.test(rest)) return { path, isTheirs: false };
  const isTheirs = ownVersion.test(rest) || ownMethod.test(rest);
  return { path: `${basePath}${rest.replace(version, '')}`, isTheirs };
};

const markers = ['x-goog-api-key', 'x-goog-api-client'];

/** Headers that only these clients send, or a key in the address, as only they write it. */
const isMarked = (request: GatewayRequest): boolean =>
  markers.some((name) => request.header(name) !== null) || /(?:^|&)key=/.test(request.query);

/** Clients download a video by its address and their key, without a header. Other methods take no key from the address. */
const withKeyOfQuery =
  ({ query }: GatewayRequest, header: GatewayRequest['header']): GatewayRequest['header'] =>
  (name) => {
    const value = header(name);
    if (name !== 'authorization' || value !== null) return value;
    const key = new URLSearchParams(query).get('key');
    return key === null ? null : `Bearer ${key}`;
  };

/**
 * The request as one of the contract, its path without a version; `dialect` says whether a Google client asks. The prefix alone
 * says nothing of that: other clients have `/v1` in their base address as well.
 */
export const fromGoogleRequest = (basePath: string, request: GatewayRequest): GatewayRequest => {
  const { path, isTheirs } = contractPath(basePath, request.path);
  if (!isTheirs && !isMarked(request)) return path === request.path ? request : { ...request, path };
  const header = withKeyHeader(request, 'x-goog-api-key');
  return {
    ...request,
    path,
    dialect: 'google',
    header: downloadOf(path) === null ? header : withKeyOfQuery(request, header),
  };
};
