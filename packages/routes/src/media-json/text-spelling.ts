import { createHash, type Hash } from 'node:crypto';

const backslash = 0x5c;

/**
 * What the bytes that strict base64 decodes to do not tell of the text itself. It is spelt in one way only, but for the escapes
 * with which JSON may write a character: so nothing, or where the first escape stands and the hash of all from there on.
 */
export interface TextSpelling {
  /** Takes the raw bytes of the text in order, in whatever pieces. */
  add(raw: Buffer): void;
  end(): string;
}

const plainBytesOf = (raw: Buffer): number => {
  const first = raw.indexOf(backslash);
  return first === -1 ? raw.length : first;
};

export const createTextSpelling = (): TextSpelling => {
  let plainBytes = 0;
  let escaped: Hash | null = null;
  return {
    add: (raw) => {
      const plain = escaped === null ? plainBytesOf(raw) : 0;
      plainBytes += plain;
      if (plain === raw.length) return;
      escaped ??= createHash('sha256');
      escaped.update(raw.subarray(plain));
    },
    end: () => (escaped === null ? '' : `${plainBytes}\\${escaped.digest('hex')}`),
  };
};
