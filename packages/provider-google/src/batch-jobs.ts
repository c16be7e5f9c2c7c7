import {
  asArray,
  asCount,
  asObject,
  asText,
  type BatchCall,
  type BatchResult,
  type CallContext,
  type JobProgress,
  type ProviderJobs,
  UnknownOutcome,
  type UntrustedObject,
} from '@tollgate/provider';
import { encodeJson, jsonBody } from '@tollgate/provider-http';
import { askAfter, handOver, parseJob } from './ask-upstream.ts';
import { askWithCopies } from './ask-with-copies.ts';
import { download } from './download.ts';
import { failedBatch, fileEntries, fromGoogleBatch, inlinedEntries, resultsFile } from './from-google-batch.ts';
import { hasBlobs, toGoogleBatch, type BatchJobItem } from './to-google-batch.ts';
import { resourcePath, type Upstream } from './upstream.ts';

interface BatchJob {
  readonly name: string;
  readonly items: readonly BatchJobItem[];
}

const start = (upstream: Upstream, call: BatchCall, context: CallContext): Promise<{ readonly job: string }> =>
  askWithCopies(hasBlobs(call), (isFresh) => startOnce(upstream, call, context, isFresh));

const startOnce = async (
  upstream: Upstream,
  call: BatchCall,
  context: CallContext,
  isFresh: boolean,
): Promise<{ readonly job: string }> => {
  const { path, body, items } = await toGoogleBatch(upstream, call, context, isFresh);
  const operation = await handOver(upstream, { method: 'POST', path, body: encodeJson(body), context });
  const name = asText(operation['name']);
  if (name === undefined) throw new UnknownOutcome('unreadable_answer');
  return { job: JSON.stringify({ name, items } satisfies BatchJob) };
};

const readJob = (job: string): BatchJob => {
  const value = parseJob(job);
  const items = asArray(value['items']).flatMap((item): readonly BatchJobItem[] => {
    const { key, outputTokensMax, vectors, tokens } = asObject(item) ?? {};
    if (typeof key !== 'string') return [];
    const counted = asCount(vectors);
    return [
      {
        key,
        outputTokensMax: asCount(outputTokensMax) ?? 0,
        ...(counted === undefined ? {} : { vectors: counted, tokens: asCount(tokens) ?? null }),
      },
    ];
  });
  return { name: asText(value['name']) ?? '', items };
};

/** States in which nothing changes any more; `done` may come a little later, or not at all. */
const ends: Readonly<Record<string, 'succeeded' | 'failed' | 'cancelled' | 'expired'>> = {
  BATCH_STATE_SUCCEEDED: 'succeeded',
  BATCH_STATE_FAILED: 'failed',
  BATCH_STATE_CANCELLED: 'cancelled',
  BATCH_STATE_EXPIRED: 'expired',
};

const endOf = (operation: UntrustedObject): (typeof ends)[string] | undefined => {
  const told = ends[asText(asObject(operation['metadata'])?.['state']) ?? ''];
  return told ?? (operation['done'] === true ? 'succeeded' : undefined);
};

const entriesOf = async (upstream: Upstream, operation: UntrustedObject, context: CallContext) => {
  const file = resultsFile(operation);
  if (file === undefined) return inlinedEntries(operation);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const { basePath, apiVersion, limits } = upstream;
  for await (const chunk of download(
    upstream,
    `${basePath}/download/${apiVersion}/${file}:download?alt=media`,
    context,
  )) {
    bytes += chunk.length;
    if (bytes > limits.responseBytesMax) throw new UnknownOutcome('response_too_large');
    chunks.push(chunk);
  }
  return fileEntries(Buffer.concat(chunks).toString('utf8'));
};

const poll = async (upstream: Upstream, job: string, context: CallContext): Promise<JobProgress<BatchResult>> => {
  const { name, items } = readJob(job);
  const operation = await askAfter(upstream, name, context);
  const end = endOf(operation);
  if (end === undefined) return { kind: 'running' };
  const entries = await entriesOf(upstream, operation, context);
  if (entries.size === 0 && (end === 'failed' || end === 'expired')) throw failedBatch(operation, upstream.apiKey);
  // One that succeeded tells of every item; if it does not, what it did is not known yet.
  if (entries.size === 0 && end === 'succeeded') throw new UnknownOutcome('unreadable_answer');
  const untold = end === 'cancelled' ? 'cancelled' : 'failed';
  return { kind: 'done', result: { items: fromGoogleBatch(upstream, items, entries, untold) } };
};

const cancel = async (upstream: Upstream, job: string, context: CallContext): Promise<void> => {
  const path = `${resourcePath(upstream, readJob(job).name)}:cancel`;
  await handOver(upstream, { method: 'POST', path, body: jsonBody({}), context });
};

/** Batches, which the upstream works off in its own time and at its own price. */
export const batchJobs = (open: () => Promise<Upstream>): Required<ProviderJobs<BatchCall, BatchResult>> => ({
  start: async (call, context) => start(await open(), call, context),
  poll: async (job, context) => poll(await open(), job, context),
  cancel: async (job, context) => cancel(await open(), job, context),
});
