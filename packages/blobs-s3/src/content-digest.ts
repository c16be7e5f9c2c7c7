import { S3Failure } from './s3-failure.ts';

/** Where a blob keeps the SHA-256 of its content, in hex. Every service stores metadata; not every one knows checksums. */
export const digestHeader = 'x-amz-meta-sha256';

/** Of no content. */
export const emptyDigest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export const toDigest = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');

/** The digest that was stored with a blob; undefined for one that came in parts, or written by another program. */
export const readDigest = (response: Response): string | undefined => {
  const digest = response.headers.get(digestHeader)?.toLowerCase();
  return digest !== undefined && /^[\da-f]{64}$/.test(digest) ? digest : undefined;
};

export const checkDigest = (stored: string | undefined, actual: string): void => {
  if (stored !== undefined && stored !== actual) throw new S3Failure('the content is not what was stored', true);
};
