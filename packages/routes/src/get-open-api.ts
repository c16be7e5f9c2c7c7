import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { clientOrigin } from './client-origin.ts';
import type { ByteBody } from './byte-body.ts';
import type { GatewayRequest, GatewayResponse } from './gateway-request.ts';
import { jsonAnswer } from './json-answer.ts';
import type { Service } from './service.ts';

/** The bytes of a description before and behind the address that it names as its server, and their digest. */
interface Description {
  readonly before: Uint8Array;
  readonly behind: Uint8Array;
  readonly digest: string;
  /** Compressed, by the address that it names. */
  readonly compressed: Map<string, Promise<Uint8Array>>;
}

const compress = promisify(gzip);

/** Addresses for which it is kept compressed: a client may name any, and beyond these it is sent as it is. */
const addressesMax = 8;

const descriptions = new Map<string, Promise<Description>>();

/** Stands for the address while the description is made, which is asked for by as many names as a host has. */
const address = 'server:/';

/** In hex, which spells no name of a vendor by chance. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const describe = async ({ brand, basePath, openApiNeedsKey }: Service): Promise<Description> => {
  const { createOpenApi } = await import('@tollgate/contract/openapi');
  const document = createOpenApi({ brand, basePath, needsKey: openApiNeedsKey });
  const text = JSON.stringify({ ...document, servers: [{ url: address }] });
  const at = text.indexOf(JSON.stringify(address));
  return {
    before: Buffer.from(text.slice(0, at)),
    behind: Buffer.from(text.slice(at + JSON.stringify(address).length)),
    digest: digestOf(text),
    compressed: new Map(),
  };
};

/** Built on the first question, as most processes are never asked, and then kept as bytes. */
const descriptionOf = (service: Service): Promise<Description> => {
  const { brand, basePath, openApiNeedsKey } = service;
  const name = `${brand} ${basePath} ${openApiNeedsKey}`;
  const known = descriptions.get(name);
  if (known !== undefined) return known;
  const made = describe(service);
  descriptions.set(name, made);
  return made;
};

/** The base under which it was asked; by its path alone where the host is not known. */
const serverUrl = ({ basePath }: Service, request: GatewayRequest): string => {
  const url = `${clientOrigin(request) ?? ''}${basePath}`;
  return url === '' ? '/' : url;
};

async function* each(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* parts;
}

const bodyOf = (...parts: readonly Uint8Array[]): ByteBody => ({
  kind: 'bytes',
  sizeBytes: parts.reduce((sum, { byteLength }) => sum + byteLength, 0),
  chunks: each(parts),
});

const acceptsGzip = (request: GatewayRequest): boolean =>
  (request.header('accept-encoding') ?? '')
    .split(',')
    .some((coding) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/i.test(coding));

/** Compressed once for each address; null where there are too many of them. */
const compressedFor = ({ before, behind, compressed }: Description, server: string): Promise<Uint8Array> | null => {
  const known = compressed.get(server);
  if (known !== undefined) return known;
  if (compressed.size >= addressesMax) return null;
  const made = compress(Buffer.concat([before, Buffer.from(server), behind]));
  compressed.set(server, made);
  return made;
};

/** Whether the client has it already, compressed or not. */
const isKnown = (request: GatewayRequest, etag: string): boolean =>
  (request.header('if-none-match') ?? '').split(',').some((tag) => tag.trim().replace(/^(?:W\/)?/, 'W/') === etag);

// versioning:openapi:*, G71
/**
 * GET /openapi.json: the contract, derived from the route table. It is asked for without a key, and so
 * sent from bytes that were made once; 304 to a client that has it.
 */
export const getOpenApi = async (service: Service, request: GatewayRequest): Promise<GatewayResponse> => {
  const description = await descriptionOf(service);
  const server = JSON.stringify(serverUrl(service, request));
  const etag = `W/"${description.digest}.${digestOf(server)}"`;
  const caching = { etag, 'cache-control': 'no-store', vary: 'Accept-Encoding' };
  if (isKnown(request, etag)) return { status: 304, headers: caching, body: '' };
  const compressed = acceptsGzip(request) ? await compressedFor(description, server) : null;
  const { before, behind } = description;
  const body = compressed === null ? bodyOf(before, Buffer.from(server), behind) : bodyOf(compressed);
  const answer = jsonAnswer(body);
  const encoding = compressed === null ? null : { 'content-encoding': 'gzip' };
  return { ...answer, headers: { ...answer.headers, ...caching, ...encoding } };
};
