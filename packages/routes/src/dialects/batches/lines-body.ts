import type { ByteBody } from '../../byte-body.ts';
import type { GatewayResponse } from '../../gateway-request.ts';
import type { Service } from '../../service.ts';

/** Lines of JSON that are written anew each time they are read, always the same ones. */
export type Lines = () => AsyncIterable<object>;

/** Lines of so many bytes are held between counting and sending; of more the lines are written twice. */
const heldBytesMax = 1_048_576;

async function* encoded(lines: Lines): AsyncGenerator<Buffer, void> {
  for await (const line of lines()) yield Buffer.from(`${JSON.stringify(line)}\n`);
}

async function* listed(chunks: readonly Buffer[]): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
}

/** Lines as a body of known length. Throws where they cannot be read. */
export const linesBody = async (lines: Lines): Promise<ByteBody> => {
  let held: Buffer[] | null = [];
  let sizeBytes = 0;
  for await (const line of encoded(lines)) {
    sizeBytes += line.length;
    held?.push(line);
    if (sizeBytes > heldBytesMax) held = null;
  }
  return { kind: 'bytes', sizeBytes, chunks: held === null ? encoded(lines) : listed(held) };
};

/** 200 with the lines as a download. */
export const linesAnswer = (service: Service, body: ByteBody, mimeType: string): GatewayResponse => ({
  status: 200,
  headers: {
    'content-type': mimeType,
    'content-length': String(body.sizeBytes),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': service.newRequestId(),
  },
  body,
});
