import {
  isNotExecuted,
  type BlobPart,
  type Interacted,
  type InteractionCall,
  type InteractionTool,
  type JobProgress,
  type MediaPart,
  type ProviderJobs,
  type Step,
  type StepContent,
} from '@tollgate/provider';
import { meterSteps } from '../../ledger/meter-images.ts';
import { readBlob } from '../../operations/pending-blobs.ts';
import { isToEnd, refuseUnbegun } from '../../workers/access-lost.ts';
import { callInTime } from '../../workers/call-in-time.ts';
import type { WorkOutcome } from '../../workers/work-kind.ts';
import { isFailureReport, isTransient } from '../../workers/is-transient.ts';
import { toMediaPart } from '../stored-media.ts';
import { closeInteraction } from './close-interaction.ts';
import { authorOf, isSameAuthor } from './generation-call.ts';
import { readHistory } from './history.ts';
import { folderOf, openTool, type InteractionTurn } from './interaction-turn.ts';
import type { InteractionWork } from './interaction-work.ts';
import { keepSteps } from './keep-steps.ts';
import { readJson } from './stored-json.ts';
import type { StoredContent, StoredStep } from './stored-step.ts';

export type InteractionJobs = ProviderJobs<InteractionCall, Interacted>;
type Phase<P extends InteractionWork['phase']> = Extract<InteractionWork, { readonly phase: P }>;

const pollMs = 60_000;
const firstPauseMs = 1_000;
const pauseMsMax = 15_000;
/** The pause between two questions: each half as long again as the one before, up to the longest. */
const pauseAfter = (polls: number): number => Math.min(firstPauseMs * 1.5 ** Math.min(polls, 20), pauseMsMax);

const goneText = '[A file of an earlier turn is no longer available.]';

const toPart = async (
  turn: InteractionTurn,
  content: StoredContent,
  isPast: boolean,
): Promise<MediaPart | BlobPart | Extract<StepContent, { readonly kind: 'text' }>> => {
  const { engine } = turn.options;
  switch (content.kind) {
    case 'text':
      return { kind: 'text', text: content.text };
    case 'made': {
      const { mimeType, sizeBytes, blobKey } = content;
      return { kind: 'blob', mimeType, sizeBytes, read: () => readBlob(engine, blobKey) };
    }
    case 'given':
      try {
        const owner = { projectId: turn.work.operation.projectId, provider: turn.model.provider.name };
        return await toMediaPart(engine, owner, content.media);
      } catch (cause) {
        if (isPast && isNotExecuted(cause)) return { kind: 'text', text: goneText };
        throw cause;
      }
  }
};

/** Steps as a provider takes them; opaque states only where it wrote them. */
const toSteps = async (
  turn: InteractionTurn,
  steps: readonly StoredStep[],
  from: { readonly isOwn: boolean; readonly isPast: boolean },
): Promise<readonly Step[]> => {
  const out: Step[] = [];
  for (const step of steps) {
    if (step.kind === 'user_input' || step.kind === 'model_output') {
      const content: StepContent[] = [];
      for (const each of step.content) content.push(await toPart(turn, each, from.isPast));
      out.push({ kind: step.kind, content });
    } else if (step.kind === 'thought' && !from.isOwn) continue;
    else out.push(withoutOwn(step, from.isOwn));
  }
  return out;
};

type PlainStep = Exclude<StoredStep, { readonly kind: 'user_input' | 'model_output' }>;

/** Leaves out what only the gateway has to know, and the states of another author. */
const withoutOwn = (step: PlainStep, isOwn: boolean): Step => {
  switch (step.kind) {
    case 'tool_call': {
      const { called: _called, context, ...rest } = step;
      return isOwn && context !== undefined ? { ...rest, context } : rest;
    }
    case 'tool_result': {
      const { told: _told, ...rest } = step;
      return rest;
    }
    case 'function_call':
    case 'thought': {
      const { context, ...rest } = step;
      return isOwn && context !== undefined ? { ...rest, context } : rest;
    }
    case 'function_result':
      return step;
  }
};

const withNotes = async ({ options, model }: InteractionTurn, tool: InteractionTool): Promise<InteractionTool> => {
  if (tool.kind !== 'file_search') return tool;
  const stores = await Promise.all(
    tool.stores.map(async ({ id }) => ({ id, reference: await options.findReference(id, model.provider.name) })),
  );
  return { ...tool, stores };
};

const toInteractionCall = async (turn: InteractionTurn): Promise<InteractionCall> => {
  const { options, work, order, settings, model } = turn;
  const author = authorOf(model);
  const past = await readHistory(options.engine, work.operation.projectId, order);
  const history: Step[] = [];
  for (const each of past)
    history.push(...(await toSteps(turn, each.steps, { isOwn: isSameAuthor(each.author, author), isPast: true })));
  const previous = past.at(-1);
  const { environmentId } = order;
  const reference = environmentId === null ? null : await options.findReference(environmentId, model.provider.name);
  const { tools, ...rest } = settings;
  return {
    ...rest,
    operationId: work.operation.id,
    upstreamModel: model.row.upstreamId,
    upstreamKind: model.row.upstreamKind,
    input: await toSteps(turn, await readJson(options.engine, order.input), { isOwn: true, isPast: false }),
    history,
    previousReference: previous !== undefined && isSameAuthor(previous.author, author) ? previous.reference : null,
    tools: await Promise.all(tools.map((tool) => withNotes(turn, openTool(options.seal, tool)))),
    outputTokensMax: model.row.maxOutputTokens,
    environmentReference: reference ?? undefined,
  };
};

/** Hands an interaction over to the provider that carries it out as a job. */
export const startJob = async (
  turn: InteractionTurn,
  jobs: InteractionJobs,
  { tries }: Phase<'asked'>,
): Promise<WorkOutcome> => {
  const { options, order, work, context, model } = turn;
  const { engine, limits } = options;
  const refused = await refuseUnbegun(context);
  if (refused !== null) return refused;
  const call = await toInteractionCall(turn);
  await context.checkpoint({ phase: 'submitting', order } satisfies InteractionWork);
  try {
    const callContext = context.callContext(model.provider.name);
    const { job } = await callInTime(engine, callContext, engine.limits.executionMs, (each) => jobs.start(call, each));
    const startedAtMs = work.operation.updatedAtMs;
    const begun = { phase: 'job', order, author: authorOf(model), job, startedAtMs, polls: 0, cancelAsked: false };
    // What is known of the job must be durable before anything else is done.
    await context.checkpoint(begun);
    return { kind: 'later', afterMs: firstPauseMs, work: begun };
  } catch (cause) {
    if (!isTransient(cause) || tries + 1 >= limits.triesMax) throw cause;
    const afterMs = cause.retryAfterMs ?? pauseAfter(2 * tries);
    return { kind: 'later', afterMs, work: { phase: 'asked', order, tries: tries + 1 } satisfies InteractionWork };
  }
};

const finishJob = async (turn: InteractionTurn, { author }: Phase<'job'>, result: Interacted): Promise<WorkOutcome> => {
  const { engine, limits } = turn.options;
  const shelf = { engine, folder: folderOf(turn), keptMs: limits.blobsKeptMs, signal: turn.context.signal, index: 0 };
  const { status: ending, reference } = result;
  const usage = meterSteps(turn.options.engine, turn.work.operation, result.steps, result.usage);
  return closeInteraction(turn, { author, ending, steps: await keepSteps(shelf, result.steps), usage, reference });
};

/** The client wants an end, or may not go on: the upstream is asked to stop once, and the next poll reports what it did until then. */
const cancelJob = async (turn: InteractionTurn, jobs: InteractionJobs, phase: Phase<'job'>): Promise<Phase<'job'>> => {
  const { options, context, model } = turn;
  if (phase.cancelAsked || jobs.cancel === undefined || !(await isToEnd(context))) return phase;
  const asked = { ...phase, cancelAsked: true };
  await context.checkpoint(asked satisfies InteractionWork);
  const cancel = jobs.cancel;
  try {
    await callInTime(options.engine, context.callContext(model.provider.name), pollMs, (each) =>
      cancel(phase.job, each),
    );
  } catch (cause) {
    options.engine.logger.warn('a job could not be cancelled', { operationId: turn.work.operation.id, cause });
  }
  return asked;
};

const later = (
  phase: Phase<'job'>,
  progress: Extract<JobProgress<Interacted>, { readonly kind: 'running' }>,
): WorkOutcome => {
  const { job = phase.job, afterMs = pauseAfter(phase.polls) } = progress;
  return { kind: 'later', afterMs, work: { ...phase, job, polls: phase.polls + 1 } satisfies InteractionWork };
};

/** Asks how far a job is. */
export const pollJob = async (
  turn: InteractionTurn,
  jobs: InteractionJobs,
  found: Phase<'job'>,
): Promise<WorkOutcome> => {
  const { options, work, context, model } = turn;
  const { engine } = options;
  if (work.operation.updatedAtMs - found.startedAtMs > options.limits.jobMs)
    return { kind: 'unknown', cause: new Error('the upstream took longer than an interaction may') };
  const phase = await cancelJob(turn, jobs, found);
  try {
    const callContext = context.callContext(model.provider.name);
    const progress = await callInTime(engine, callContext, pollMs, (each) => jobs.poll(phase.job, each));
    return progress.kind === 'running' ? later(phase, progress) : await finishJob(turn, phase, progress.result);
  } catch (cause) {
    if (isFailureReport(cause)) throw cause;
    engine.logger.warn('an interaction could not be checked', { operationId: work.operation.id, cause });
    return later(phase, { kind: 'running' });
  }
};
