import { createHash, timingSafeEqual } from 'node:crypto';

/** A key is a prefix of the host's, this, its id and its secret: 3 + 22 + 43 characters. By this, messages are kept free of keys. */
const mark = 'tg_';
const idChars = 22;
const secretBytes = 32;
const idAndSecretChars = 65;
/** Any prefix will do: a host that changes it keeps the keys that it sold. */
const keyPattern = /^(?:[A-Za-z][A-Za-z0-9-]{0,19}[_-])?tg_[A-Za-z0-9_-]{65}$/;

/** The prefix that a host may choose, such as `acme_` or `sk-acme-`; empty for none. */
export const isKeyPrefix = (prefix: string): boolean => /^(?:[A-Za-z][A-Za-z0-9-]{0,19}[_-])?$/.test(prefix);

/** A token for a page: the same with a mark of its own, and without a prefix. */
const tokenMark = 'tgt_';
const tokenPattern = /^tgt_[A-Za-z0-9_-]{65}$/;

const keyInside = /tgt?_[A-Za-z0-9_-]{65}/;

/** The beginning of a key or a token that tells whose it is: a message may have cut the rest. */
const keyBegin = /(tgt?_)[A-Za-z0-9_-]{22,}/g;

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

const uuidOf = (bytes: Buffer): string => {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

const textOf = (id: string, randomBytes: (size: number) => Uint8Array): string =>
  Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url') +
  Buffer.from(randomBytes(secretBytes)).toString('base64url');

// auth:key:never-echoed
/** Makes the text of a key, which is shown once, and the hash that is kept. */
export const createApiKeyText = (
  id: string,
  randomBytes: (size: number) => Uint8Array,
  prefix = '',
): { readonly key: string; readonly secretHash: string } => {
  const key = `${prefix}${mark}${textOf(id, randomBytes)}`;
  return { key, secretHash: hashOf(key) };
};

/** The same of a token for a page. */
export const createTokenText = (
  id: string,
  randomBytes: (size: number) => Uint8Array,
): { readonly token: string; readonly secretHash: string } => {
  const token = `${tokenMark}${textOf(id, randomBytes)}`;
  return { token, secretHash: hashOf(token) };
};

const idInside = (text: string): string =>
  uuidOf(Buffer.from(text.slice(-idAndSecretChars).slice(0, idChars), 'base64url'));

/** The id inside a key's text, or null for what cannot be a key of this service. */
export const apiKeyId = (key: string): string | null => (keyPattern.test(key) ? idInside(key) : null);

/** The id inside a token's text, or null for what cannot be one. */
export const tokenId = (token: string): string | null => (tokenPattern.test(token) ? idInside(token) : null);

/** Whether a text has the form of a key or a token of this service, valid or not. */
export const isOwnCredential = (text: string): boolean => keyPattern.test(text) || tokenPattern.test(text);

/** Whether a text holds what has the form of a key or a token of this service, of any project, valid or not. */
export const holdsApiKey = (text: string): boolean => keyInside.test(text);

/** A text for clients without what may be a key or a token, or the beginning of one. */
export const withoutApiKeys = (text: string): string => text.replaceAll(keyBegin, '$1...');

/** Compares in constant time. */
export const isApiKeySecret = (key: string, secretHash: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(key), 'hex'), Buffer.from(secretHash, 'hex'));
