import { expect, test } from 'vitest';
import { emptyDigest } from './content-digest.ts';
import { createSigner } from './sign-request.ts';

const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const nowMs = (): number => Date.UTC(2013, 4, 24);

/** The GET of a bucket's lifecycle in the AWS documentation of signature version 4. */
test('signs as the AWS documentation does', async () => {
  const sign = createSigner({ credentials, region: 'us-east-1', nowMs });
  const url = 'https://examplebucket.s3.amazonaws.com/?lifecycle';
  const headers = await sign({ method: 'GET', url, headers: {}, payload: emptyDigest });
  expect(headers.get('authorization')).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
      'SignedHeaders=host;x-amz-content-sha256;x-amz-date, ' +
      'Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  );
});

test.each([
  ['https://blobs.s3.eu-west-1.amazonaws.com/k', 'eu-west-1'],
  ['https://account.r2.cloudflarestorage.com/blobs/k', 'auto'],
  ['https://s3.us-west-004.backblazeb2.com/blobs/k', 'us-west-004'],
  ['http://127.0.0.1:9000/blobs/k', 'us-east-1'],
])('reads the region from the address %s', async (url, region) => {
  const sign = createSigner({ credentials, region: undefined, nowMs });
  const headers = await sign({ method: 'GET', url, headers: {}, payload: emptyDigest });
  expect(headers.get('authorization')).toContain(`/20130524/${region}/s3/aws4_request`);
});

test('signs by the key of the day, over many days', async () => {
  let days = 0;
  const sign = createSigner({ credentials, region: 'us-east-1', nowMs: () => nowMs() + days * 86_400_000 });
  const signOn = async (day: number): Promise<string | null> => {
    days = day;
    const url = 'https://examplebucket.s3.amazonaws.com/?lifecycle';
    return (await sign({ method: 'GET', url, headers: {}, payload: emptyDigest })).get('authorization');
  };
  const first = await signOn(0);
  const later: unknown[] = [];
  for (let day = 1; day <= 10; day += 1) later.push(await signOn(day));
  expect(new Set(later).size).toBe(10);
  expect(await signOn(0)).toBe(first);
});
