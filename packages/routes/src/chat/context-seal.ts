import { GatewayError } from '@tollgate/contract';
import type { TextSeal } from '@tollgate/engine';

/** The opaque states of one assistant message's tool calls, by call id. */
export type ToolContexts = ReadonlyMap<string, string>;

// G6
/** Seals what an upstream wants back into a string that only this service, for this project, can open. */
export interface ContextSeal {
  /** The sealed text, or null where it would be larger than a message may carry. */
  seal(projectId: string, contexts: ToolContexts): string | null;
  /** Throws `invalid_messages` for what was altered, made elsewhere or for another project. */
  open(projectId: string, sealed: string): ToolContexts;
}

const sealedCharsMax = 65_536;

const refused = (cause?: unknown): GatewayError =>
  new GatewayError('invalid_messages', {
    detail:
      'The field context of an assistant message is not one that this service returned; accepted is it unchanged, or none.',
    cause,
  });

const isEntries = (value: unknown): value is readonly (readonly [string, string])[] =>
  Array.isArray(value) &&
  value.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'string');

/** Over a seal of texts that is used for nothing else. */
export const createContextSeal = (texts: TextSeal): ContextSeal => ({
  seal: (projectId, contexts) => {
    const sealed = texts.seal(JSON.stringify([...contexts]), projectId);
    return sealed.length > sealedCharsMax ? null : sealed;
  },
  open: (projectId, sealed) => {
    if (sealed.length > sealedCharsMax || Buffer.from(sealed, 'base64url').toString('base64url') !== sealed)
      throw refused();
    try {
      const entries: unknown = JSON.parse(texts.open(sealed, projectId));
      if (!isEntries(entries)) throw refused();
      return new Map(entries);
    } catch (cause) {
      throw refused(cause);
    }
  },
});
