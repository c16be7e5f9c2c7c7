import type { IncomingHttpHeaders } from 'node:http';
import type { Egress } from './guarded-request.ts';
import type { OpenAnswer } from './open-answer.ts';

export interface GuardedFetchLimits {
  /** For each request, to the last byte of its answer. */
  readonly deadlineMs: number;
  readonly answerBytesMax: number;
}

/** The part of `fetch` that clients of protocols need. */
export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const bodyless: ReadonlySet<number> = new Set([204, 205, 304]);

const toHeaders = (incoming: IncomingHttpHeaders): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming)) {
    if (value === undefined) continue;
    for (const line of Array.isArray(value) ? value : [value]) headers.append(name, line);
  }
  return headers;
};

/** An answer that is longer than the cap ends with an error: half of it would be taken for the whole. */
const cappedStream = (answer: OpenAnswer, bytesMax: number): ReadableStream<Uint8Array> => {
  const chunks = answer.chunks[Symbol.asyncIterator]();
  let size = 0;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next = await chunks.next();
      if (next.done === true) {
        if (answer.isWhole()) controller.close();
        else controller.error(new TypeError('The answer broke off'));
        return;
      }
      size += next.value.byteLength;
      if (size <= bytesMax) return controller.enqueue(next.value);
      answer.close();
      controller.error(new TypeError('The answer is too long'));
    },
    cancel: () => answer.close(),
  });
};

const bodyOf = (init: RequestInit): { readonly body?: string | Uint8Array } => {
  const { body } = init;
  if (body === undefined || body === null) return {};
  if (typeof body === 'string' || body instanceof Uint8Array) return { body };
  throw new TypeError('A guarded request has a body of text or bytes');
};

/**
 * `fetch` for clients of protocols whose servers strangers name: guarded, with a deadline and a cap, and without redirects,
 * which come back as the answers that they are. Throws a `TypeError` where no answer comes, as `fetch` does.
 */
export const createGuardedFetch =
  (egress: Egress, limits: GuardedFetchLimits): GuardedFetch =>
  async (url, init = {}) => {
    const answer = await egress.open({
      url: String(url),
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      deadlineMs: limits.deadlineMs,
      ...bodyOf(init),
      signal: init.signal ?? undefined,
    });
    if (answer.kind !== 'answered') throw new TypeError(`No answer: ${answer.kind}, ${answer.reason}`);
    const { status, headers } = answer;
    if (bodyless.has(status)) answer.close();
    const body = bodyless.has(status) ? null : cappedStream(answer, limits.answerBytesMax);
    return new Response(body, { status, headers: toHeaders(headers) });
  };
