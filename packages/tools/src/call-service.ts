/** How a service of the host's choice is called. */
export interface ServiceCall {
  readonly fetch: typeof fetch;
  readonly url: URL;
  readonly init?: Pick<RequestInit, 'method' | 'headers' | 'body'>;
  readonly deadlineMs: number;
  readonly answerBytesMax: number;
  readonly signal: AbortSignal;
}

export type ServiceAnswer =
  | { readonly kind: 'answered'; readonly json: unknown }
  /** `status` is null where no whole answer came. */
  | { readonly kind: 'failed'; readonly status: number | null };

/** The text of a body, or undefined where it is longer than it may be. */
const readText = async ({ body }: Response, bytesMax: number): Promise<string | undefined> => {
  if (body === null) return '';
  const parts: AsyncIterable<Uint8Array> = body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of parts) {
    size += chunk.byteLength;
    if (size > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

const parseJson = (text: string): ServiceAnswer => {
  try {
    return { kind: 'answered', json: JSON.parse(text) };
  } catch {
    return { kind: 'failed', status: null };
  }
};

/** Asks for JSON, once, without redirects, in bounded time and size. Throws only where the caller has given up. */
export const callService = async (call: ServiceCall): Promise<ServiceAnswer> => {
  const late = AbortSignal.timeout(call.deadlineMs);
  try {
    const response = await call.fetch(call.url, {
      ...call.init,
      redirect: 'error',
      signal: AbortSignal.any([late, call.signal]),
    });
    const text = await readText(response, call.answerBytesMax);
    if (!response.ok) return { kind: 'failed', status: response.status };
    return text === undefined ? { kind: 'failed', status: null } : parseJson(text);
  } catch {
    call.signal.throwIfAborted();
    return { kind: 'failed', status: null };
  }
};
