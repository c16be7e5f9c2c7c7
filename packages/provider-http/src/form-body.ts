import type { BlobPart, MediaPart } from '@tollgate/provider';
import type { WireBody } from './wire-body.ts';

/** One field of a form: a text, or bytes with a file's name. */
export type FormField =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly filename: string; readonly media: MediaPart | BlobPart };

/** A form with the header that its request needs. */
export interface FormBody {
  readonly contentType: string;
  readonly body: WireBody;
}

/** A name or a type as a header of a part may hold it. */
const safe = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\]/g, '_');

const headOf = (field: FormField, boundary: string): Buffer => {
  const name = `content-disposition: form-data; name="${safe(field.name)}"`;
  const rest =
    'text' in field ? '' : `; filename="${safe(field.filename)}"\r\ncontent-type: ${safe(field.media.mimeType)}`;
  return Buffer.from(`--${boundary}\r\n${name}${rest}\r\n\r\n`);
};

type Piece = Uint8Array | BlobPart;

const contentOf = (field: FormField): Piece => {
  if ('text' in field) return Buffer.from(field.text);
  return field.media.kind === 'blob' ? field.media : Buffer.from(field.media.data, 'base64');
};

const isBlob = (piece: Piece): piece is BlobPart => !(piece instanceof Uint8Array);

/** The bytes of a blob, exactly as many as it says. */
const readBlob = async function* (blob: BlobPart): AsyncIterable<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of blob.read()) {
    sizeBytes += chunk.length;
    if (sizeBytes > blob.sizeBytes) break;
    yield chunk;
  }
  if (sizeBytes !== blob.sizeBytes) throw new Error(`a blob of ${blob.sizeBytes} bytes has another size`);
};

const readPieces = async function* (pieces: readonly Piece[]): AsyncIterable<Uint8Array> {
  for (const piece of pieces)
    if (isBlob(piece)) yield* readBlob(piece);
    else yield piece;
};

const lengthOf = (piece: Piece): number => (isBlob(piece) ? piece.sizeBytes : piece.length);

/**
 * A body of `multipart/form-data`, whose blobs are read while it is sent. `boundary` must not occur in any content: a text that
 * no client could know when the content was made, such as the id of the operation.
 */
export const formBody = (fields: readonly FormField[], boundary: string): FormBody => {
  const end = Buffer.from('\r\n');
  const pieces: readonly Piece[] = [
    ...fields.flatMap((field) => [headOf(field, boundary), contentOf(field), end]),
    Buffer.from(`--${boundary}--\r\n`),
  ];
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: {
      kind: 'pieces',
      byteLength: pieces.reduce((sum, piece) => sum + lengthOf(piece), 0),
      read: () => readPieces(pieces),
    },
  };
};
