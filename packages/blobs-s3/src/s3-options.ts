import { setTimeout as wait } from 'node:timers/promises';
import {
  callable,
  checkConfiguration,
  flag,
  optionsCheck,
  required,
  text,
  timerMs,
  whole,
} from '@tollgate/contract/configuration';
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
const retriesMax = 20;
const partBytesMin = 5 * 1024 * 1024;
const partBytesMax = 64 * 1024 * 1024;
const bucketName = /^[a-z0-9][\w.-]{1,61}[a-z0-9]$/i;

const isEndpoint = (endpoint: string): boolean => {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, username, password, search, hash } = new URL(endpoint);
  return (protocol === 'https:' || protocol === 'http:') && `${username}${password}${search}${hash}` === '';
};

const isAws = (url: URL): boolean => /\.amazonaws\.com(?:\.cn)?$/.test(url.hostname);

const isPrefix = (prefix: string): boolean =>
  prefix === '' ||
  (prefix.endsWith('/') && isBlobKey(prefix.slice(0, -1)) && prefix.length + blobKeyCharsMax <= objectKeyCharsMax);

const s3OptionsCheck = optionsCheck<S3BlobsOptions>({
  // Not repeated: an address may hold a password, which is why it is refused.
  endpoint: required(
    text({
      isSound: isEndpoint,
      accepted: 'is a plain http or https address, without a name, a password or a query',
      isSecret: true,
    }),
  ),
  bucket: required(text({ isSound: (name) => bucketName.test(name), accepted: 'is the name of a bucket' })),
  region: text(),
  accessKeyId: required(text({ isSecret: true })),
  secretAccessKey: required(text({ isSecret: true })),
  sessionToken: text({ isSecret: true }),
  pathStyle: flag(),
  prefix: text({ charsMin: 0, isSound: isPrefix, accepted: 'is empty, or like a blob key with a / at its end' }),
  timeoutMs: timerMs({ min: 1 }),
  bytesMax: whole(),
  partBytes: whole({ min: partBytesMin, max: partBytesMax }),
  retries: whole({ max: retriesMax }),
  fetch: callable(),
  nowMs: callable(),
  sleep: callable(),
  random: callable(),
});

const readBaseUrl = ({ endpoint, bucket, prefix = '', pathStyle }: S3BlobsOptions): string => {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/\/+$/, '');
  if (pathStyle ?? !isAws(url)) return `${url.origin}${path}/${bucket}/${prefix}`;
  return `${url.protocol}//${bucket}.${url.host}${path}/${prefix}`;
};

const readCredentials = ({ accessKeyId, secretAccessKey, sessionToken }: S3BlobsOptions): S3Credentials => ({
  accessKeyId,
  secretAccessKey,
  ...(sessionToken === undefined ? {} : { sessionToken }),
});

/** Checks the options and fills in what was left out. Throws a `ConfigurationError` that names what is wrong and shows no secret. */
export const parseS3Options = (options: S3BlobsOptions): S3Settings => {
  checkConfiguration('s3Blobs', s3OptionsCheck, options);
  return {
    credentials: readCredentials(options),
    region: options.region,
    baseUrl: readBaseUrl(options),
    timeoutMs: options.timeoutMs ?? 30_000,
    bytesMax: options.bytesMax ?? 64 * 1024 * 1024,
    partBytes: options.partBytes ?? partBytesMin,
    retries: options.retries ?? 3,
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    nowMs: options.nowMs ?? Date.now,
    sleep: options.sleep ?? ((ms) => wait(ms)),
    random: options.random ?? Math.random,
  };
};
