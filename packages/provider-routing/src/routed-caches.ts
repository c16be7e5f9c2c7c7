import { NotExecuted, type CacheCall, type CallContext, type Provider, type ProviderCaches } from '@tollgate/provider';
import { liveContents, scopeContents } from './file-references.ts';
import { findHolder, tagFor } from './find-holder.ts';
import { contextFor, invocationOf, type Invocation } from './invocation.ts';
import { isLeaf } from './leaves.ts';

interface Directing {
  readonly direct: <Answer>(invocation: Invocation<Answer>) => Promise<Answer>;
  /** The name by which members know a model (default: the same). */
  readonly rename: ((upstreamModel: string) => string) | undefined;
}

const scopeCache = (call: CacheCall, member: Provider): CacheCall =>
  isLeaf(member) ? { ...call, contents: scopeContents(call.contents, member) } : call;

const requireHolder = (members: readonly Provider[], reference: string) => {
  const held = findHolder(members, reference);
  const caches = held?.holder.caches;
  if (held === null || caches === undefined)
    throw new NotExecuted({ reason: 'unavailable', cause: new Error('no provider here has the cache') });
  return { caches, reference: held.text, contextOf: (context: CallContext) => contextFor(held.holder, context) };
};

/** Caches of several members: created by whom `direct` chooses, and used, extended and removed where they are. */
export const routedCaches = (
  members: readonly Provider[],
  { direct, rename = (upstreamModel) => upstreamModel }: Directing,
): ProviderCaches | undefined => {
  if (!members.some(({ caches }) => caches !== undefined)) return undefined;
  return {
    create: (given, context) => {
      const upstreamModel = rename(given.upstreamModel);
      const call = { ...given, upstreamModel, contents: liveContents(given.contents) };
      return direct(
        invocationOf({
          method: 'caches',
          upstreamModel,
          context,
          usageOf: ({ usage }) => usage,
          call: (member, its) =>
            member.caches
              ?.create(scopeCache(call, member), its)
              .then((created) => ({ ...created, reference: tagFor(member, created.reference) })),
        }),
      );
    },
    extend: async (reference, ttlSeconds, context) => {
      const held = requireHolder(members, reference);
      await held.caches.extend(held.reference, ttlSeconds, held.contextOf(context));
    },
    remove: async (reference, context) => {
      const held = requireHolder(members, reference);
      await held.caches.remove(held.reference, held.contextOf(context));
    },
  };
};
