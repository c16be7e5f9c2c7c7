import { setTimeout as wait } from 'node:timers/promises';
import { blobKeyCharsMax, isBlobKey } from '@tollgate/storage';

export type S3Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface S3BlobsOptions {
  /** The service's address, such as `https://s3.eu-west-1.amazonaws.com` or `http://127.0.0.1:9000`; a path is kept. */
  readonly endpoint: string;
  readonly bucket: string;
  /** What requests are signed for. By default read from an AWS, R2 or B2 endpoint's name, otherwise `us-east-1`. */
  readonly region?: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials; they are not renewed. */
  readonly sessionToken?: string;
  /** Whether the bucket stands in the path rather than in the host's name. By default so everywhere but at AWS. */
  readonly pathStyle?: boolean;
  /** Put before every key: empty, or made like a blob's key with a `/` at its end. */
  readonly prefix?: string;
  /** Time of one attempt of `put`, `get` and `delete`; for streams, the longest wait for a next piece. 30 s by default. */
  readonly timeoutMs?: number;
  /** Of a blob that `put` and `get` hold in memory, 64 MiB by default. Streams are not bound by it. */
  readonly bytesMax?: number;
  /** Of a part of a longer stream, which is in memory while it is sent; 5 MiB, the least that services take, by default. */
  readonly partBytes?: number;
  /** Further attempts after one that failed by a fault that may pass; 3 by default. */
  readonly retries?: number;
  /** Sends requests, for instance through another dispatcher. It must not follow redirects where asked not to. */
  readonly fetch?: S3Fetch;
  readonly nowMs?: () => number;
  readonly sleep?: (ms: number) => Promise<void>;
  /** From 0 up to 1, for the pauses between attempts. */
  readonly random?: () => number;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface S3Settings {
  readonly credentials: S3Credentials;
  readonly region: string | undefined;
  /** What stands before a blob's key in its address. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly bytesMax: number;
  readonly partBytes: number;
  readonly retries: number;
  readonly fetch: S3Fetch;
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
}

/** Of an object's whole key, by every service. */
const objectKeyCharsMax = 1024;
const timeoutMsMax = 2 ** 31 - 1;
const retriesMax = 20;
const partBytesMin = 5 * 1024 * 1024;
const partBytesMax = 64 * 1024 * 1024;
const bucketName = /^[a-z0-9][\w.-]{1,61}[a-z0-9]$/i;

const readEndpoint = (endpoint: string): URL => {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isPlain = url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:');
  if (!isPlain || `${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw new Error('endpoint is not a plain http or https address');
  }
  return url;
};

const isAws = (url: URL): boolean => /\.amazonaws\.com(?:\.cn)?$/.test(url.hostname);

const isPrefix = (prefix: string): boolean =>
  prefix === '' ||
  (prefix.endsWith('/') && isBlobKey(prefix.slice(0, -1)) && prefix.length + blobKeyCharsMax <= objectKeyCharsMax);

const readBaseUrl = (options: S3BlobsOptions): string => {
  const url = readEndpoint(options.endpoint);
  const { bucket, prefix = '' } = options;
  if (!bucketName.test(bucket)) throw new Error('bucket is not the name of a bucket');
  if (!isPrefix(prefix)) throw new Error('prefix is neither empty nor like a blob key with a / at its end');
  const path = url.pathname.replace(/\/+$/, '');
  if (options.pathStyle ?? !isAws(url)) return `${url.origin}${path}/${bucket}/${prefix}`;
  return `${url.protocol}//${bucket}.${url.host}${path}/${prefix}`;
};

const readWhole = (name: string, value: number, range: { readonly min: number; readonly max: number }): number => {
  const { min, max } = range;
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new Error(`${name} is not a whole number from ${min} to ${max}`);
  }
  return value;
};

const readCredentials = (options: S3BlobsOptions): S3Credentials => {
  const { accessKeyId, secretAccessKey, sessionToken } = options;
  if (accessKeyId === '' || secretAccessKey === '') throw new Error('accessKeyId or secretAccessKey is empty');
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
};

/** Checks the options and fills in what was left out. Throws an Error that names what is wrong and shows no secret. */
export const parseS3Options = (options: S3BlobsOptions): S3Settings => ({
  credentials: readCredentials(options),
  region: options.region,
  baseUrl: readBaseUrl(options),
  timeoutMs: readWhole('timeoutMs', options.timeoutMs ?? 30_000, { min: 1, max: timeoutMsMax }),
  bytesMax: readWhole('bytesMax', options.bytesMax ?? 64 * 1024 * 1024, { min: 0, max: Number.MAX_SAFE_INTEGER }),
  partBytes: readWhole('partBytes', options.partBytes ?? partBytesMin, { min: partBytesMin, max: partBytesMax }),
  retries: readWhole('retries', options.retries ?? 3, { min: 0, max: retriesMax }),
  fetch: options.fetch ?? ((url, init) => fetch(url, init)),
  nowMs: options.nowMs ?? Date.now,
  sleep: options.sleep ?? ((ms) => wait(ms)),
  random: options.random ?? Math.random,
});
