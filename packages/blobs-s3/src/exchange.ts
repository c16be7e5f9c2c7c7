import type { S3Settings } from './s3-options.ts';
import { createSigner, type UnsignedRequest } from './sign-request.ts';

export interface S3Request extends Omit<UnsignedRequest, 'url'> {
  readonly key: string;
  /** Encoded, without the question mark. */
  readonly query?: string;
  readonly body?: Uint8Array<ArrayBuffer>;
}

export type Exchange = (request: S3Request, signal: AbortSignal) => Promise<Response>;

/** Signs and sends one request, and follows no redirect: a signature is only good for the address it was made for. */
export const createExchange = (settings: S3Settings): Exchange => {
  const sign = createSigner(settings);
  return async ({ key, query, body, ...unsigned }, signal) => {
    const url = `${settings.baseUrl}${key}${query === undefined ? '' : `?${query}`}`;
    const headers = await sign({ ...unsigned, url });
    return settings.fetch(url, {
      method: unsigned.method,
      headers,
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body }),
    });
  };
};
