import { NotExecuted, type CacheCall, type CallContext, type ProviderCaches } from '@tollgate/provider';
import type { ScriptedAnswer } from './scripted-step.ts';

/** What was asked of the scripted caches so far, in order. */
export interface ScriptedCacheLog {
  readonly created: readonly CacheCall[];
  readonly extended: readonly { readonly note: string; readonly ttlSeconds: number }[];
  readonly removed: readonly string[];
}

const checkKnown = (note: string): void => {
  if (!note.startsWith('note of '))
    throw new NotExecuted({ reason: 'invalid_request', cause: new Error('a cache that was never made') });
};

/** Caches of a provider that does what a test wrote down; each holds 10 tokens unless its step says otherwise. */
export const scriptedCaches = (
  ask: (context: CallContext) => Promise<ScriptedAnswer>,
  begun: () => void,
): { readonly caches: ProviderCaches; readonly log: ScriptedCacheLog } => {
  const created: CacheCall[] = [];
  const extended: { readonly note: string; readonly ttlSeconds: number }[] = [];
  const removed: string[] = [];
  const caches: ProviderCaches = {
    create: async (call, context) => {
      if (context.signal.aborted) throw new NotExecuted({ reason: 'cancelled' });
      created.push(call);
      begun();
      const answer = await ask(context);
      return {
        note: `note of ${call.operationId}`,
        tokens: 10,
        usage: [{ unit: 'input_text_tokens', quantity: 10, confirmed: true }],
        ...answer.cache,
      };
    },
    extend: async (note, ttlSeconds, context) => {
      checkKnown(note);
      await ask(context);
      extended.push({ note, ttlSeconds });
    },
    remove: async (note, context) => {
      await ask(context);
      removed.push(note);
    },
  };
  return { caches, log: { created, extended, removed } };
};
