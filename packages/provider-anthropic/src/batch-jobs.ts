import {
  asArray,
  asObject,
  asText,
  isNotExecuted,
  NotExecuted,
  parseJson,
  UnknownOutcome,
  type BatchCall,
  type BatchResult,
  type BatchResultItem,
  type CallContext,
  type GenerationCall,
  type JobProgress,
  type ProviderJobs,
  type UntrustedObject,
} from '@tollgate/provider';
import { blobBytesOf, encodeJson, jsonBody } from '@tollgate/provider-http';
import { fromAnthropicResult, type BatchJobItem } from './from-anthropic-batch.ts';
import { createLineTaker } from './line-taker.ts';
import { partsOf, prepareBlobs } from './prepare-blobs.ts';
import { refuseUnsendable } from './run-answer.ts';
import { send, type WireAnswer, type WireCall } from './send.ts';
import { toAnthropic } from './to-anthropic.ts';
import type { Upstream } from './upstream.ts';

interface BatchJob {
  readonly id: string;
  readonly items: readonly BatchJobItem[];
}

/** Requests are named by their places: clients' keys are theirs. */
const wireIdOf = (place: number): string => `item-${place}`;

const generationsOf = ({ items }: BatchCall): readonly GenerationCall[] =>
  items.map((item) => {
    if (item.kind === 'embedding')
      throw new NotExecuted({ reason: 'unsupported', cause: 'the upstream makes no embeddings' });
    return item.call;
  });

/** All items travel in one request, and have its room together. */
const toRequests = async (upstream: Upstream, call: BatchCall, signal: AbortSignal): Promise<readonly object[]> => {
  const calls = generationsOf(call);
  for (const each of calls) refuseUnsendable(upstream, each);
  const rules = upstream.rulesOf(call.upstreamModel);
  let left = upstream.limits.inlineBytesMax;
  const requests: object[] = [];
  for (const [place, each] of calls.entries()) {
    const prepared = await prepareBlobs(each, left, signal);
    left -= blobBytesOf(partsOf(each));
    requests.push({ custom_id: wireIdOf(place), params: toAnthropic(prepared, rules) });
  }
  return requests;
};

const start = async (upstream: Upstream, call: BatchCall, context: CallContext): Promise<{ readonly job: string }> => {
  const requests = await toRequests(upstream, call, context.signal);
  const body = encodeJson({ requests });
  const batch = await ask(upstream, { method: 'POST', path: 'messages/batches', body, context });
  const id = asText(batch['id']);
  if (id === undefined) throw new UnknownOutcome('unreadable_answer');
  const items = call.items.map((item) => ({
    key: item.key,
    includeThoughts: item.kind === 'generation' && item.call.thinking?.includeThoughts === true,
  }));
  return { job: JSON.stringify({ id, items } satisfies BatchJob) };
};

type Asking = Omit<WireCall, 'deadlineMs'>;

const sendInTime = (upstream: Upstream, call: Asking): Promise<WireAnswer> =>
  send(upstream, { ...call, deadlineMs: upstream.now() + upstream.limits.timeoutMs });

const ask = async (upstream: Upstream, call: Asking): Promise<UntrustedObject> => {
  const answer = await sendInTime(upstream, call);
  const body = answer.kind === 'json' ? asObject(answer.json) : undefined;
  if (body === undefined) throw new UnknownOutcome('unreadable_answer');
  return body;
};

/** Whatever goes wrong with a question says nothing of the batch: it never fails with `NotExecuted`. */
const asQuestion = async <Answer>(asking: Promise<Answer>): Promise<Answer> => {
  try {
    return await asking;
  } catch (failure) {
    throw isNotExecuted(failure) ? new UnknownOutcome('not_answered', failure) : failure;
  }
};

/** The text by which a batch is found again; throws where it is none of ours. */
const readJob = (job: string): BatchJob => {
  const value = asObject(parseJson(job));
  const id = asText(value?.['id']);
  if (id === undefined) throw new UnknownOutcome('not_answered', new Error('a job of another provider'));
  const items = asArray(value?.['items']).flatMap((item): readonly BatchJobItem[] => {
    const { key, includeThoughts } = asObject(item) ?? {};
    return typeof key === 'string' ? [{ key, includeThoughts: includeThoughts === true }] : [];
  });
  return { id, items };
};

const pathOf = (id: string): string => `messages/batches/${encodeURIComponent(id)}`;

const poll = async (upstream: Upstream, job: string, context: CallContext): Promise<JobProgress<BatchResult>> => {
  const { id, items } = readJob(job);
  const batch = await asQuestion(ask(upstream, { method: 'GET', path: pathOf(id), context }));
  if (batch['processing_status'] !== 'ended') return { kind: 'running' };
  const results = await asQuestion(readResults(upstream, { id, items }, context));
  // A batch that ended tells of every item; if it does not, what it did is not known yet.
  if (results.size < items.length) throw new UnknownOutcome('unreadable_answer');
  return { kind: 'done', result: { items: [...results.values()] } };
};

/** Results in any order, one a line, each read as it comes. The address that the upstream gives for them is not followed. */
const readResults = async (
  upstream: Upstream,
  { id, items }: BatchJob,
  context: CallContext,
): Promise<ReadonlyMap<string, BatchResultItem>> => {
  const found = new Map<string, BatchResultItem>();
  const places = new Map(items.map((item, place) => [wireIdOf(place), item]));
  const onLine = (line: string): void => {
    const entry = asObject(parseJson(line));
    const item = places.get(asText(entry?.['custom_id']) ?? '');
    const result = asObject(entry?.['result']);
    if (item !== undefined && result !== undefined) found.set(item.key, fromAnthropicResult(upstream, item, result));
  };
  const { batchBytesMax, responseBytesMax } = upstream.limits;
  const openTaker = () => createLineTaker({ bytesMax: batchBytesMax, lineBytesMax: responseBytesMax, onLine });
  let taker = openTaker();
  await sendInTime(upstream, {
    method: 'GET',
    path: `${pathOf(id)}/results`,
    context,
    openTaker: () => (taker = openTaker()),
  });
  taker.finish();
  return found;
};

const cancel = async (upstream: Upstream, job: string, context: CallContext): Promise<void> => {
  const path = `${pathOf(readJob(job).id)}/cancel`;
  await sendInTime(upstream, { method: 'POST', path, body: jsonBody({}), context });
};

/** Batches, which the upstream works off in its own time and at its own price. */
export const batchJobs = (open: () => Promise<Upstream>): Required<ProviderJobs<BatchCall, BatchResult>> => ({
  start: async (call, context) => start(await open(), call, context),
  poll: async (job, context) => poll(await open(), job, context),
  cancel: async (job, context) => cancel(await open(), job, context),
});
