import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { GatewayError } from '@tollgate/contract';

/** The opaque states of one assistant message's tool calls, by call id. */
export type ToolContexts = ReadonlyMap<string, string>;

/** Seals what an upstream wants back into a string that only this service, for this project, can open (G6). */
export interface ContextSeal {
  /** The sealed text, or null where it would be larger than a message may carry. */
  seal(projectId: string, contexts: ToolContexts): string | null;
  /** Throws `invalid_messages` for what was altered, made elsewhere or for another project. */
  open(projectId: string, sealed: string): ToolContexts;
}

const sealedCharsMax = 65_536;
const nonceBytes = 12;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

const refused = (cause?: unknown): GatewayError =>
  new GatewayError('invalid_messages', {
    detail: 'The context of an assistant message must be sent back unchanged.',
    cause,
  });

const isEntries = (value: unknown): value is readonly (readonly [string, string])[] =>
  Array.isArray(value) &&
  value.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'string');

export const createContextSeal = (secret: string): ContextSeal => {
  const key = createHash('sha256').update(`context\n${secret}`).digest();
  return {
    seal: (projectId, contexts) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(projectId));
      const body = Buffer.concat([cipher.update(JSON.stringify([...contexts])), cipher.final()]);
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
      return sealed.length > sealedCharsMax ? null : sealed;
    },
    open: (projectId, sealed) => {
      if (sealed.length > sealedCharsMax) throw refused();
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < nonceBytes + tagBytes || bytes.toString('base64url') !== sealed) throw refused();
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(projectId))
        .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
        const entries: unknown = JSON.parse(text.toString('utf8'));
        if (!isEntries(entries)) throw refused();
        return new Map(entries);
      } catch (cause) {
        throw refused(cause);
      }
    },
  };
};
