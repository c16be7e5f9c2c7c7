import type { BatchCall, BatchCallItem, BatchResult, Provider } from '@tollgate/provider';
import { liveEmbedding, liveGeneration, scopeEmbedding, scopeGeneration } from './file-references.ts';
import type { JobRouting } from './routed-jobs.ts';

const changeItems = (call: BatchCall, change: (item: BatchCallItem) => BatchCallItem): BatchCall => ({
  ...call,
  items: call.items.map(change),
});

/** The batch with files whose notes are live; to be made once, before any member is asked. */
const liveBatch = (call: BatchCall): BatchCall =>
  changeItems(call, (item) =>
    item.kind === 'generation'
      ? { ...item, call: liveGeneration(item.call) }
      : { ...item, call: liveEmbedding(item.call) },
  );

const scopeBatch = (call: BatchCall, leaf: Provider): BatchCall =>
  changeItems(call, (item) =>
    item.kind === 'generation'
      ? { ...item, call: scopeGeneration(item.call, leaf) }
      : { ...item, call: scopeEmbedding(item.call, leaf) },
  );

/** Every item asks for the same model as its batch. */
const renameBatch = (call: BatchCall, rename: (upstreamModel: string) => string): BatchCall => {
  const named = <C extends { readonly upstreamModel: string }>(each: C): C => ({
    ...each,
    upstreamModel: rename(each.upstreamModel),
  });
  return changeItems(named(call), (item) =>
    item.kind === 'generation' ? { ...item, call: named(item.call) } : { ...item, call: named(item.call) },
  );
};

export const batchRouting: JobRouting<BatchCall, BatchResult> = {
  method: 'batches',
  jobsOf: ({ batches }) => batches,
  live: liveBatch,
  rename: renameBatch,
  scope: scopeBatch,
  sign: (result) => result,
};
