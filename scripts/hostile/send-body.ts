import { request } from 'node:http';

export interface Sending {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface SentAnswer {
  /** 0 where the gateway closed the connection without one. */
  readonly status: number;
  readonly text: string;
}

/** An answer that takes longer is not waited for. */
const answerMs = 30_000;

/** Sends a body whole over a connection of its own, and reads the answer. Does not throw. */
export const sendBody = ({ origin, method, path, headers }: Sending, bytes: Buffer): Promise<SentAnswer> =>
  new Promise((resolve) => {
    const sent = request(`${origin}${path}`, {
      method,
      agent: false,
      headers: { 'content-type': 'application/json', 'content-length': bytes.length, ...headers },
    });
    sent.setTimeout(answerMs, () => sent.destroy());
    sent.on('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      const end = (): void => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
      answer.on('end', end).on('error', end);
    });
    sent.on('error', () => resolve({ status: 0, text: '' }));
    sent.end(bytes);
  });
