import { AwsV4Signer } from 'aws4fetch';
import type { S3Settings } from './s3-options.ts';

export interface UnsignedRequest {
  readonly method: 'PUT' | 'POST' | 'GET' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The content's SHA-256 in hex, which the service then checks. */
  readonly payload: string;
}

/** Signing keys are derived once a day; older ones are thrown away. */
const derivedKeysMax = 4;

/** Signs requests by AWS Signature Version 4, in their headers. */
export const createSigner = (
  settings: Pick<S3Settings, 'credentials' | 'region' | 'nowMs'>,
): ((request: UnsignedRequest) => Promise<Headers>) => {
  const derivedKeys = new Map<string, ArrayBuffer>();
  return async ({ method, url, headers, payload }) => {
    if (derivedKeys.size >= derivedKeysMax) derivedKeys.clear();
    const signer = new AwsV4Signer({
      ...settings.credentials,
      ...(settings.region === undefined ? {} : { region: settings.region }),
      method,
      url,
      service: 's3',
      headers: { ...headers, 'x-amz-content-sha256': payload },
      cache: derivedKeys,
      datetime: new Date(settings.nowMs()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    });
    const signed = await signer.sign();
    // Not signed, since proxies rewrite it. Lengths and digests are those of the content as it was stored.
    signed.headers.set('accept-encoding', 'identity');
    return signed.headers;
  };
};
