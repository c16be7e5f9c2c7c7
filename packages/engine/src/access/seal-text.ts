import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';

/** Keeps what must not lie open in a record: only a process that knows the secret can read it. */
export interface TextSeal {
  /** `about` names what the text belongs to; it is not sealed in, and opens nothing that was sealed about something else. */
  readonly seal: (text: string, about?: string) => string;
  /** Throws for what was sealed with none of the secrets or about something else, and for what was altered. */
  readonly open: (sealed: string, about?: string) => string;
}

const nonceBytes = 12;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

const openWith = (key: Uint8Array, bytes: Buffer, about: string): string => {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(about))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
};

/**
 * `purpose` parts what is sealed for one thing from what is sealed for another with the same secrets. The first secret seals; all
 * of them open, so that a host can change to another one.
 */
export const createTextSeal = (
  secrets: readonly string[],
  purpose: string,
  randomBytes: (size: number) => Uint8Array,
): TextSeal => {
  const keys = secrets.map((secret) => createHash('sha256').update(`${purpose}\n${secret}`).digest());
  const [sealing] = keys;
  if (sealing === undefined) throw new RangeError('a seal needs a secret');
  return {
    seal: (text, about = '') => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, sealing, nonce).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open: (sealed, about = '') => {
      const bytes = Buffer.from(sealed, 'base64url');
      let fault: unknown;
      for (const key of keys) {
        try {
          return openWith(key, bytes, about);
        } catch (cause) {
          fault = cause;
        }
      }
      throw new Error('The text was sealed with another secret, about something else, or was altered', {
        cause: fault,
      });
    },
  };
};
