import { expect, test } from 'vitest';
import { parseS3Options, type S3BlobsOptions } from './s3-options.ts';

const options: S3BlobsOptions = {
  endpoint: 'https://s3.eu-west-1.amazonaws.com',
  bucket: 'blobs',
  accessKeyId: 'id',
  secretAccessKey: 'very-secret',
};

test.each<[Partial<S3BlobsOptions>, string]>([
  [{}, 'https://blobs.s3.eu-west-1.amazonaws.com/'],
  [{ pathStyle: true }, 'https://s3.eu-west-1.amazonaws.com/blobs/'],
  [{ endpoint: 'http://127.0.0.1:9000' }, 'http://127.0.0.1:9000/blobs/'],
  [{ endpoint: 'http://127.0.0.1:9000/', prefix: 'a/b/' }, 'http://127.0.0.1:9000/blobs/a/b/'],
  [{ endpoint: 'https://store.test/storage/v1/s3/' }, 'https://store.test/storage/v1/s3/blobs/'],
  [{ endpoint: 'https://store.test', pathStyle: false, prefix: 'p/' }, 'https://blobs.store.test/p/'],
  [{ endpoint: 'https://amazonaws.com.store.test' }, 'https://amazonaws.com.store.test/blobs/'],
])('finds the place of blobs: %j', (changes, baseUrl) => {
  expect(parseS3Options({ ...options, ...changes }).baseUrl).toBe(baseUrl);
});

test.each<[Partial<S3BlobsOptions>, string]>([
  [{ endpoint: 'not an address' }, 'endpoint'],
  [{ endpoint: 'ftp://store.test' }, 'endpoint'],
  [{ endpoint: 'https://user:word@store.test' }, 'endpoint'],
  [{ endpoint: 'https://store.test/?a=1' }, 'endpoint'],
  [{ bucket: '' }, 'bucket'],
  [{ bucket: 'a/b' }, 'bucket'],
  [{ bucket: '..' }, 'bucket'],
  [{ prefix: 'a' }, 'prefix'],
  [{ prefix: '/' }, 'prefix'],
  [{ prefix: '../' }, 'prefix'],
  [{ prefix: `${'a'.repeat(512)}/` }, 'prefix'],
  [{ accessKeyId: '' }, 'accessKeyId'],
  [{ secretAccessKey: '' }, 'secretAccessKey'],
  [{ timeoutMs: 0 }, 'timeoutMs'],
  [{ timeoutMs: 2 ** 31 }, 'timeoutMs'],
  [{ bytesMax: -1 }, 'bytesMax'],
  [{ retries: 21 }, 'retries'],
  [{ retries: Number.NaN }, 'retries'],
])('refuses wrong options without showing the secret: %j', (changes, name) => {
  const parse = (): unknown => parseS3Options({ ...options, ...changes });
  expect(parse).toThrow(name);
  expect(parse).not.toThrow('very-secret');
});
