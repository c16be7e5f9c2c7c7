import type { ByteBody } from '../../byte-body.ts';
import type { GatewayResponse } from '../../gateway-request.ts';

/** Lines of JSON that are written anew each time they are read, always the same ones. */
export type Lines = () => AsyncIterable<object>;

/** Pieces of so many bytes are held between counting and sending; of more the pieces are written twice. */
const heldBytesMax = 1_048_576;

/** Pieces of a body that are written anew each time they are read, always the same ones. */
export type Pieces = () => AsyncIterable<Buffer>;

const encoded = (lines: Lines): Pieces =>
  async function* () {
    for await (const line of lines()) yield Buffer.from(`${JSON.stringify(line)}\n`);
  };

async function* listed(chunks: readonly Buffer[]): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
}

/** Pieces as a body of known length. Throws where they cannot be read. */
export const piecesBody = async (pieces: Pieces): Promise<ByteBody> => {
  let held: Buffer[] | null = [];
  let sizeBytes = 0;
  for await (const piece of pieces()) {
    sizeBytes += piece.length;
    held?.push(piece);
    if (sizeBytes > heldBytesMax) held = null;
  }
  return { kind: 'bytes', sizeBytes, chunks: held === null ? pieces() : listed(held) };
};

/** Lines as a body of known length. Throws where they cannot be read. */
export const linesBody = (lines: Lines): Promise<ByteBody> => piecesBody(encoded(lines));

/** 200 with the lines as a download. */
export const linesAnswer = (body: ByteBody, mimeType: string): GatewayResponse => ({
  status: 200,
  headers: {
    'content-type': mimeType,
    'content-length': String(body.sizeBytes),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  },
  body,
});
