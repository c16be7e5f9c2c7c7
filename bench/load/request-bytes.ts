/** What is sent, again and again, to one contestant. */
export interface RequestSpec {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RequestBytes {
  /** The request with the next identity in its place; always the same buffer. */
  next(): Buffer;
}

const digits = 10;

/** A request as bytes, with an Idempotency-Key of its own each time; `seed` must differ between connections. */
export const createRequestBytes = (spec: RequestSpec, seed: string): RequestBytes => {
  const lines = Object.entries({
    host: `127.0.0.1:${spec.port}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(spec.body)),
    ...spec.headers,
    'idempotency-key': `${seed}-${'0'.repeat(digits)}`,
  }).map(([name, value]) => `${name}: ${value}`);
  const head = `POST ${spec.path} HTTP/1.1\r\n${lines.join('\r\n')}`;
  const bytes = Buffer.from(`${head}\r\n\r\n${spec.body}`);
  let count = 0;
  return {
    next: () => {
      count += 1;
      bytes.write(String(count).padStart(digits, '0'), head.length - digits, 'latin1');
      return bytes;
    },
  };
};
