/** What is sent, again and again, to one contestant. */
export interface RequestSpec {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether each request has an Idempotency-Key of its own, or none has. */
  readonly identities: boolean;
}

export interface RequestBytes {
  /** The request, with the next identity in its place; always the same buffer. */
  next(): Buffer;
}

const digits = 10;

/** A request as bytes; `seed` tells the identities of one connection from another's. */
export const createRequestBytes = (spec: RequestSpec, seed: string): RequestBytes => {
  const lines = Object.entries({
    host: `127.0.0.1:${spec.port}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(spec.body)),
    ...spec.headers,
    ...(spec.identities ? { 'idempotency-key': `${seed}-${'0'.repeat(digits)}` } : {}),
  }).map(([name, value]) => `${name}: ${value}`);
  const head = `POST ${spec.path} HTTP/1.1\r\n${lines.join('\r\n')}`;
  const bytes = Buffer.from(`${head}\r\n\r\n${spec.body}`);
  let count = 0;
  return {
    next: () => {
      if (!spec.identities) return bytes;
      count += 1;
      bytes.write(String(count).padStart(digits, '0'), head.length - digits, 'latin1');
      return bytes;
    },
  };
};
