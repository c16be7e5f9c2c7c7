import type { S3Settings } from './s3-options.ts';
import { createSigner, type UnsignedRequest } from './sign-request.ts';

export interface S3Request extends Omit<UnsignedRequest, 'url'> {
  readonly key: string;
  readonly body?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

export type Exchange = (request: S3Request, signal: AbortSignal) => Promise<Response>;

/**
 * Node's fetch keeps a copy of a body, so as to send it to another address, unless redirects are errors and there is no window to
 * ask for credentials. A stream would be held in memory whole.
 */
const streaming = { duplex: 'half', redirect: 'error', window: null } as const;

/** Signs and sends one request, and follows no redirect: a signature is only good for the address it was made for. */
export const createExchange = (settings: S3Settings): Exchange => {
  const sign = createSigner(settings);
  return async ({ key, body, ...unsigned }, signal) => {
    const url = `${settings.baseUrl}${key}`;
    const headers = await sign({ ...unsigned, url });
    return settings.fetch(url, {
      method: unsigned.method,
      headers,
      redirect: 'manual',
      signal,
      ...(body instanceof ReadableStream ? streaming : {}),
      ...(body === undefined ? {} : { body }),
    });
  };
};
