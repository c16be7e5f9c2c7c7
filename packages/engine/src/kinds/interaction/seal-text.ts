import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';

/** Keeps what must not lie open in a record: only who knows the secret can read it. */
export interface TextSeal {
  readonly seal: (text: string) => string;
  /** Throws for what was sealed with another secret, or altered. */
  readonly open: (sealed: string) => string;
}

const nonceBytes = 12;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

/** `purpose` parts what is sealed for one thing from what is sealed for another with the same secret. */
export const createTextSeal = (
  secret: string,
  purpose: string,
  randomBytes: (size: number) => Uint8Array,
): TextSeal => {
  const key = createHash('sha256').update(`${purpose}\n${secret}`).digest();
  return {
    seal: (text) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes)).setAuthTag(
        bytes.subarray(nonceBytes, nonceBytes + tagBytes),
      );
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
    },
  };
};
