import { NotExecuted, UnknownOutcome, type CallContext, type Provider, type ProviderStores } from '@tollgate/provider';
import { liveFile, scopeFile } from './file-references.ts';
import { findHolder, tagFor } from './find-holder.ts';
import { contextFor } from './invocation.ts';

const requireHolder = (members: readonly Provider[], reference: string) => {
  const held = findHolder(members, reference);
  const stores = held?.holder.stores;
  if (held === null || stores === undefined)
    throw new NotExecuted({ reason: 'unavailable', cause: new Error('no provider here has the store') });
  const { holder, text } = held;
  return { stores, holder, reference: text, contextOf: (context: CallContext) => contextFor(holder, context) };
};

/**
 * Stores of several members. A store belongs to no model: the first member that has any keeps all new ones, and each is found where
 * it was made.
 */
export const routedStores = (members: readonly Provider[]): ProviderStores | undefined => {
  const keeper = members.find(({ stores }) => stores !== undefined);
  const stores = keeper?.stores;
  if (keeper === undefined || stores === undefined) return undefined;
  return {
    create: async (store, context) => {
      const { reference } = await stores.create(store, contextFor(keeper, context));
      return { reference: tagFor(keeper, reference) };
    },
    imports: {
      start: async (call, context) => {
        const { holder, reference, stores: own, contextOf } = requireHolder(members, call.store);
        const importCall = { ...call, store: reference, file: scopeFile(liveFile(call.file), holder) };
        const { job } = await own.imports.start(importCall, contextOf(context));
        return { job: tagFor(holder, job) };
      },
      poll: async (job, context) => {
        const held = findHolder(members, job) === null ? null : requireHolder(members, job);
        // The provider that has the job may come back with the next configuration of the host.
        if (held === null) throw new UnknownOutcome('not_answered', new Error('no provider here has the job'));
        const progress = await held.stores.imports.poll(held.reference, held.contextOf(context));
        if (progress.kind === 'running')
          return progress.job === undefined ? progress : { ...progress, job: tagFor(held.holder, progress.job) };
        return {
          kind: 'done',
          result: { ...progress.result, reference: tagFor(held.holder, progress.result.reference) },
        };
      },
    },
    removeDocument: async (reference, context) => {
      const held = requireHolder(members, reference);
      await held.stores.removeDocument(held.reference, held.contextOf(context));
    },
    remove: async (reference, context) => {
      const held = requireHolder(members, reference);
      await held.stores.remove(held.reference, held.contextOf(context));
    },
  };
};
