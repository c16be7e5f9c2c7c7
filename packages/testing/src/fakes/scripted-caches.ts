import { NotExecuted, type CacheCall, type CallContext, type ProviderCaches } from '@tollgate/provider';
import type { ScriptedAnswer } from './scripted-step.ts';

/** What was asked of the scripted caches so far, in order. */
export interface ScriptedCacheLog {
  readonly created: readonly CacheCall[];
  readonly extended: readonly { readonly reference: string; readonly ttlSeconds: number }[];
  readonly removed: readonly string[];
}

const checkKnown = (reference: string): void => {
  if (!reference.startsWith('note of '))
    throw new NotExecuted({ reason: 'invalid_request', cause: new Error('a cache that was never made') });
};

/** Caches of a provider that does what a test wrote down; each holds 10 tokens unless its step says otherwise. */
export const scriptedCaches = (
  ask: (context: CallContext) => Promise<ScriptedAnswer>,
  begun: () => void,
): { readonly caches: ProviderCaches; readonly log: ScriptedCacheLog } => {
  const created: CacheCall[] = [];
  const extended: { readonly reference: string; readonly ttlSeconds: number }[] = [];
  const removed: string[] = [];
  const caches: ProviderCaches = {
    create: async (call, context) => {
      if (context.signal.aborted) throw new NotExecuted({ reason: 'cancelled' });
      created.push(call);
      begun();
      const answer = await ask(context);
      return {
        reference: `note of ${call.operationId}`,
        tokens: 10,
        usage: [{ unit: 'input_text_tokens', quantity: 10, confirmed: true }],
        ...answer.cache,
      };
    },
    extend: async (reference, ttlSeconds, context) => {
      checkKnown(reference);
      await ask(context);
      extended.push({ reference, ttlSeconds });
    },
    remove: async (reference, context) => {
      await ask(context);
      removed.push(reference);
    },
  };
  return { caches, log: { created, extended, removed } };
};
