import {
  asArray,
  asObject,
  asText,
  type BlobPart,
  type CallContext,
  type Interacted,
  type InteractionCall,
  isNotExecuted,
  type JobProgress,
  NotExecuted,
  parseJson,
  type ProviderJobs,
  type Step,
  UnknownOutcome,
  type UntrustedObject,
} from '@tollgate/provider';
import { encodeJson, jsonBody } from '@tollgate/provider-http';
import { askAfter, handOver, parseJob } from './ask-upstream.ts';
import { askWithCopies } from './ask-with-copies.ts';
import { download } from './download.ts';
import { addQuantities, toUsage, type Quantities } from './from-google-usage.ts';
import { fromGoogleSteps } from './from-google-steps.ts';
import { fromInteractionUsage } from './from-interaction-usage.ts';
import { failedWork } from './operation-error.ts';
import { placeBlobs } from './place-blobs.ts';
import { isGone } from './project-copies.ts';
import { cannotInteract, stepsToSend, toGoogleInteraction } from './to-google-interaction.ts';
import { resourcePath, servicePath, type Upstream } from './upstream.ts';

/** A request up to this is kept with its job, so that an answer in chunks can be gone on with. */
const requestCharactersMax = 65_536;

/** The upstream's interactions that one of ours takes, the last one still under way; and the request, where it can be sent again. */
interface InteractionJob {
  readonly ids: readonly string[];
  readonly request: UntrustedObject | null;
}

const readJob = (job: string): InteractionJob => {
  const value = parseJob(job);
  const ids = asArray(value['ids']).filter((id) => typeof id === 'string');
  if (ids.length === 0) throw new UnknownOutcome('not_answered', new Error('a job of another provider'));
  return { ids, request: asObject(value['request']) ?? null };
};

const encodeJob = (job: InteractionJob): string => JSON.stringify(job);

const mediaOf = (steps: readonly Step[]) =>
  steps.flatMap((step) =>
    step.kind === 'user_input' || step.kind === 'model_output'
      ? step.content.filter((content) => content.kind !== 'text')
      : [],
  );

/** The request as text to be kept; null where it holds bytes that are not in memory, or secrets, or is too long. */
const toKept = ({ tools }: InteractionCall, body: object, isWhole: boolean): UntrustedObject | null => {
  const isSecret = tools.some((tool) => tool.kind === 'mcp_server' && tool.headers !== undefined);
  if (!isWhole || isSecret) return null;
  const text = JSON.stringify(body);
  return text.length > requestCharactersMax ? null : (asObject(parseJson(text)) ?? null);
};

const idOf = (interaction: UntrustedObject): string => {
  const id = asText(interaction['id']);
  if (id === undefined) throw new UnknownOutcome('unreadable_answer');
  return id;
};

/**
 * Begins an interaction. The upstream keeps what went before for some weeks only, or a day: what it lost is sent to it again,
 * once, the history as steps and files as new copies.
 */
const start = async (
  upstream: Upstream,
  call: InteractionCall,
  context: CallContext,
): Promise<{ readonly job: string }> => {
  const obstacle = cannotInteract(call);
  if (obstacle !== undefined) throw new NotExecuted({ reason: 'unsupported', cause: obstacle });
  const hasFiles = mediaOf([...call.history, ...call.input]).some(({ kind }) => kind === 'blob');
  const beginAs = (asked: InteractionCall) =>
    askWithCopies(hasFiles, (isFresh) => begin(upstream, asked, context, isFresh));
  try {
    return await beginAs(call);
  } catch (failure) {
    if (call.previousReference === null || !isGone(failure)) throw failure;
    return beginAs({ ...call, previousReference: null });
  }
};

const begin = async (
  upstream: Upstream,
  call: InteractionCall,
  context: CallContext,
  isFresh: boolean,
): Promise<{ readonly job: string }> => {
  const media = mediaOf(stepsToSend(call));
  const blobs = media.filter((part): part is BlobPart => part.kind === 'blob');
  const inlineBytes = media.reduce((sum, part) => (part.kind === 'media' ? sum + (part.data.length * 3) / 4 : sum), 0);
  const deadlineMs = upstream.now() + upstream.limits.timeoutMs;
  const uriOf = await placeBlobs(upstream, blobs, { context, deadlineMs, inlineBytes, isFresh });
  const body = toGoogleInteraction(call, uriOf);
  const made = await handOver(upstream, {
    method: 'POST',
    path: servicePath(upstream, 'interactions'),
    body: encodeJson(body),
    context,
  });
  const isWhole = blobs.every((blob) => uriOf(blob) !== undefined);
  return { job: encodeJob({ ids: [idOf(made)], request: toKept(call, body, isWhole) }) };
};

interface Told {
  readonly steps: readonly Step[];
  /** Undefined where one of the interactions was not measured. */
  readonly quantities: Quantities | undefined;
}

const readOne = (upstream: Upstream, interaction: UntrustedObject, context: CallContext): Told => {
  const steps = fromGoogleSteps(interaction['steps'], (uri) => download(upstream, uri, context));
  return { steps, quantities: fromInteractionUsage(interaction['usage'], steps) };
};

const together = (all: readonly Told[]): Told => ({
  steps: all.flatMap(({ steps }) => steps),
  quantities: all
    .map(({ quantities }) => quantities)
    .reduce((sum, each) => (sum === undefined || each === undefined ? undefined : addQuantities(sum, each))),
});

/** An interaction of the upstream that has ended, the last one of its job. */
interface Ending {
  readonly last: UntrustedObject;
  readonly status: Interacted['status'];
}

const finish = async (
  upstream: Upstream,
  { ids }: InteractionJob,
  { last, status }: Ending,
  context: CallContext,
): Promise<JobProgress<Interacted>> => {
  const told: Told[] = [];
  for (const id of ids.slice(0, -1))
    told.push(readOne(upstream, await askAfter(upstream, `interactions/${id}`, context), context));
  told.push(readOne(upstream, last, context));
  const { steps, quantities } = together(told);
  const usage = quantities === undefined ? [] : toUsage(quantities, true);
  return { kind: 'done', result: { steps, status, usage, reference: ids.at(-1) ?? null } };
};

/**
 * Goes on with an answer that comes in chunks. What certainly did not run, or may be lost, leaves what came before it. A
 * process that dies right after the upstream took the next request has it begun once more: what that costs is not the client's.
 */
const goOn = async (
  upstream: Upstream,
  job: InteractionJob,
  interaction: UntrustedObject,
  context: CallContext,
): Promise<JobProgress<Interacted>> => {
  const token = asText(interaction['continuation_token']);
  const { ids, request } = job;
  if (token === undefined || request === null || ids.length >= upstream.limits.modelRoundsMax)
    return finish(upstream, job, { last: interaction, status: 'incomplete' }, context);
  const body = jsonBody({ ...request, continuation_token: token });
  try {
    const path = servicePath(upstream, 'interactions');
    const next = idOf(await handOver(upstream, { method: 'POST', path, body, context }));
    return { kind: 'running', job: encodeJob({ ids: [...ids, next], request }) };
  } catch (failure) {
    // Aborted before anything was sent: the question is asked again.
    if (isNotExecuted(failure) && failure.reason === 'cancelled') throw new UnknownOutcome('aborted', failure);
    return finish(upstream, job, { last: interaction, status: 'incomplete' }, context);
  }
};

const poll = async (upstream: Upstream, text: string, context: CallContext): Promise<JobProgress<Interacted>> => {
  const job = readJob(text);
  const interaction = await askAfter(upstream, `interactions/${job.ids.at(-1) ?? ''}`, context);
  const status = asText(interaction['status']) ?? '';
  switch (status) {
    case 'queued':
    case 'in_progress':
      return { kind: 'running' };
    case 'requires_continuation':
      return goOn(upstream, job, interaction, context);
    case 'completed':
    case 'requires_action':
    case 'incomplete':
    case 'budget_exceeded':
    case 'cancelled':
      return finish(upstream, job, { last: interaction, status }, context);
    case 'failed':
      throw failedWork(asArray(interaction['errors'])[0] ?? interaction['error'], upstream.apiKey);
    default:
      throw new UnknownOutcome('unreadable_answer');
  }
};

const cancel = async (upstream: Upstream, text: string, context: CallContext): Promise<void> => {
  const id = readJob(text).ids.at(-1) ?? '';
  const path = `${resourcePath(upstream, `interactions/${id}`)}/cancel`;
  await handOver(upstream, { method: 'POST', path, body: jsonBody({}), context });
};

/** Interactions, which the upstream carries out with its own tools and agents, in its own time. */
export const interactionJobs = (
  open: () => Promise<Upstream>,
): Required<ProviderJobs<InteractionCall, Interacted>> => ({
  start: async (call, context) => start(await open(), call, context),
  poll: async (job, context) => poll(await open(), job, context),
  cancel: async (job, context) => cancel(await open(), job, context),
});
