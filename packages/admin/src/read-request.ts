import { parseStrictBody } from '@tollgate/contract';
import { AdminError } from './admin-error.ts';
import type { AdminRoute, RawInput, ReadPart } from './admin-route.ts';
import { protoMember } from './proto-member.ts';
import { unkeptField } from './unkept-field.ts';

/** Bytes of a body, on the routes that say nothing else. */
const bodyBytesMaxDefault = 65_536;
/** Characters of a query. */
const queryCharsMax = 8_192;

const readBytes = async (request: Request, bytesMax: number): Promise<Uint8Array> => {
  const tooLarge = () => new AdminError('body_too_large', `The body is too large; accepted are ${bytesMax} bytes.`);
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | readonly Uint8Array[] = request.body ?? [];
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > bytesMax) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
};

const jsonType = /^application\/json\s*(?:;|$)/i;

const parse = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw new AdminError('invalid_json', 'The body is no JSON in UTF-8; accepted is one JSON object.');
  }
};

/** The body of a request as its route takes it: JSON, and nothing or an empty object where it takes none. */
const readBody = async (request: Request, route: AdminRoute): Promise<unknown> => {
  if (route.method === 'GET') return {};
  const bytes = await readBytes(request, route.bodyBytesMax ?? bodyBytesMaxDefault);
  if (bytes.byteLength === 0 && route.request === null) return {};
  const type = request.headers.get('content-type') ?? 'application/json';
  if (!jsonType.test(type))
    throw new AdminError('unsupported_content', 'The body has another Content-Type; accepted is application/json.');
  const body = parse(bytes);
  const proto = protoMember(body);
  if (proto === null) return body;
  throw new AdminError('invalid_request', `The body has ${proto}; accepted is every other name.`);
};

/** The members of a query; one that comes twice is refused. */
const readQuery = (search: string): Readonly<Record<string, string>> => {
  if (search.length > queryCharsMax)
    throw new AdminError('invalid_request', `The query is too long; accepted are ${queryCharsMax} characters.`);
  const members = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (members.has(name)) throw new AdminError('invalid_request', `The query has ${name} twice; accepted is one.`);
    members.set(name, value);
  }
  return Object.fromEntries(members);
};

export const readInput = async (
  request: Request,
  route: AdminRoute,
  path: Readonly<Record<string, string>>,
): Promise<RawInput> => ({
  path,
  query: readQuery(new URL(request.url).search),
  body: await readBody(request, route),
});

/** Parts are read by the contract's reader, which names the field, what came and what is accepted. */
export const readPart: ReadPart = (schema, value) => {
  const fields = parseStrictBody(schema, value);
  const unkept = unkeptField(fields);
  if (unkept === null) return fields;
  throw new AdminError(
    'invalid_request',
    `The field ${unkept} has a text that cannot be kept; accepted is well-formed Unicode without NUL.`,
  );
};
