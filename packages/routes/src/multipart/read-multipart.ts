import { GatewayError } from '@tollgate/contract';

/** One part of a multipart body. */
export interface MultipartPart {
  /** By lowercase name. */
  readonly headers: ReadonlyMap<string, string>;
  /** To be read once, before the next part; what is not read is skipped. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Of the headers of a part, and of the boundary (RFC 2046). */
const headerBytesMax = 16_384;
const boundaryCharsMax = 70;
/** Parts of one body where its reader says nothing: a file has three at the most. */
const partsMaxDefault = 16;

const broken = (): GatewayError =>
  new GatewayError('invalid_request', {
    detail: 'The body is no multipart of the boundary that its Content-Type names; accepted is one that is.',
  });

/** The boundary that a content type names, or null where it names none. */
export const boundaryOf = (contentType: string): string | null => {
  const match = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  return boundary === undefined || boundary.length > boundaryCharsMax ? null : boundary;
};

/** The bytes that are at hand, with more to come. */
const createWindow = (chunks: AsyncIterator<Uint8Array>, begun: Buffer) => {
  let window = begun;
  return {
    bytes: () => window,
    drop: (count: number): void => {
      window = window.subarray(count);
    },
    /** False where there is no more. */
    fill: async (): Promise<boolean> => {
      const next = await chunks.next();
      if (next.done === true) return false;
      window = window.length === 0 ? Buffer.from(next.value) : Buffer.concat([window, next.value]);
      return true;
    },
  };
};

type Window = ReturnType<typeof createWindow>;

/** The bytes up to the mark, which is dropped. What could be the beginning of the mark is held back. */
async function* bytesBefore(window: Window, mark: Buffer): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    const at = window.bytes().indexOf(mark);
    const sure = at === -1 ? Math.max(0, window.bytes().length - mark.length + 1) : at;
    const content = Uint8Array.from(window.bytes().subarray(0, sure));
    window.drop(at === -1 ? sure : at + mark.length);
    if (content.length > 0) yield content;
    if (at !== -1) return;
    if (!(await window.fill())) throw broken();
  }
}

const skip = async (content: AsyncIterable<Uint8Array>): Promise<void> => {
  const chunks = content[Symbol.asyncIterator]();
  while ((await chunks.next()).done !== true);
};

const readText = async (window: Window, mark: string): Promise<string> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytesBefore(window, Buffer.from(mark))) {
    size += piece.length;
    if (size > headerBytesMax) throw broken();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
};

const parseHeaders = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\r\n').flatMap((line): readonly (readonly [string, string])[] => {
      const colon = line.indexOf(':');
      return colon === -1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]];
    }),
  );

/** Whether the boundary that was read closes the body: two hyphens follow it, or else the rest of its line. */
const isClosing = async (window: Window): Promise<boolean> => {
  while (window.bytes().length < 2) if (!(await window.fill())) throw broken();
  return window.bytes().subarray(0, 2).toString('latin1') === '--';
};

const readHeaderText = async (window: Window): Promise<string> => {
  while (window.bytes().length < 2) if (!(await window.fill())) throw broken();
  if (window.bytes().subarray(0, 2).toString('latin1') !== '\r\n') return readText(window, '\r\n\r\n');
  window.drop(2);
  return '';
};

async function* readParts(window: Window, mark: Buffer, partsMax: number): AsyncGenerator<MultipartPart, void> {
  await skip(bytesBefore(window, mark));
  for (let part = 0; !(await isClosing(window)); part += 1) {
    if (part === partsMax || (await readText(window, '\r\n')).trim() !== '') throw broken();
    // Headers end with an empty line, which comes at once where there are none.
    const headers = parseHeaders(await readHeaderText(window));
    const content = bytesBefore(window, mark);
    yield { headers, content };
    await skip(content);
  }
}

/**
 * Reads the parts of a multipart body one after another, without holding more than a chunk of it (RFC 2046, RFC 7578). Lets go of
 * the chunks at its end, however it comes: unread bytes must not stay before the next request on the connection.
 */
export async function* readMultipart(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
  partsMax = partsMaxDefault,
): AsyncGenerator<MultipartPart, void> {
  const source = chunks[Symbol.asyncIterator]();
  // The first boundary need not be on a line of its own where nothing stands before it.
  const window = createWindow(source, Buffer.from('\r\n'));
  try {
    yield* readParts(window, Buffer.from(`\r\n--${boundary}`), partsMax);
  } finally {
    await source.return?.();
  }
}
