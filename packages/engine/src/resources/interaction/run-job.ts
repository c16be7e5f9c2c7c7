import {
  isNotExecuted,
  type BlobPart,
  type Interacted,
  type InteractionCall,
  type InteractionTool,
  type MediaPart,
  type ProviderJobs,
  type Step,
  type StepContent,
} from '@tollgate/provider';
import { meterSteps } from '../../ledger/meter-images.ts';
import { pricesOf } from '../../ledger/operation-prices.ts';
import { readBlob } from '../../operations/pending-blobs.ts';
import { refuseUnbegun } from '../../workers/access-lost.ts';
import { pollProviderJob, startProviderJob, type ProviderJob } from '../../workers/provider-job.ts';
import type { WorkOutcome } from '../../workers/work-kind.ts';
import type { ModelRoute } from '../model-route.ts';
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
type InteractionJob = ProviderJob<InteractionCall, Interacted>;
type Phase<P extends InteractionWork['phase']> = Extract<InteractionWork, { readonly phase: P }>;

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

const toFunctionCall = ({
  id,
  called,
  arguments: given,
}: Extract<PlainStep, { readonly kind: 'tool_call' }>): Step => ({
  kind: 'function_call',
  id,
  name: called?.name ?? String(given['name']),
  arguments: called?.arguments ?? JSON.stringify(given['arguments'] ?? {}),
});

/** Leaves out what only the gateway has to know, and the states of another author. */
const withoutOwn = (step: PlainStep, isOwn: boolean): Step => {
  switch (step.kind) {
    case 'tool_call': {
      const { called: _called, context, tool, ...rest } = step;
      // A provider knows the tools of the host as functions.
      if (tool === 'host_tool') return toFunctionCall(step);
      return isOwn && context !== undefined ? { ...rest, tool, context } : { ...rest, tool };
    }
    case 'tool_result': {
      const { told: _told, tool, ...rest } = step;
      const { callId, result, isError = false } = rest;
      return tool === 'host_tool' ? { kind: 'function_result', callId, result, isError } : { ...rest, tool };
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

/** No interaction with a tool of the host is a job. */
const providerTools = ({ options, settings }: InteractionTurn): readonly InteractionTool[] =>
  settings.tools.map((tool) => openTool(options.seal, tool)).filter((tool) => tool.kind !== 'host_tool');

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
  const { tools: _tools, round, ...rest } = settings;
  const { maxOutputTokens } = model.row;
  return {
    ...rest,
    operationId: work.operation.id,
    upstreamModel: model.row.upstreamId,
    upstreamKind: model.row.upstreamKind,
    input: await toSteps(turn, await readJson(options.engine, order.input), { isOwn: true, isPast: false }),
    history,
    previousReference: previous !== undefined && isSameAuthor(previous.author, author) ? previous.reference : null,
    tools: await Promise.all(providerTools(turn).map((tool) => withNotes(turn, tool))),
    outputTokensMax: Math.min(round?.outputTokensMax ?? maxOutputTokens, maxOutputTokens),
    environmentReference: reference ?? undefined,
  };
};

const jobOf = (turn: InteractionTurn, jobs: InteractionJobs, author: ModelRoute<string>): InteractionJob => {
  const { options, work, context, order, model } = turn;
  const { triesMax, jobMs } = options.limits;
  return {
    engine: options.engine,
    work,
    context,
    provider: model.provider.name,
    jobs,
    pauses: { firstPauseMs: 1_000, pauseMsMax: 15_000, pollMs: 60_000, jobMsMax: jobMs, startTriesMax: triesMax },
    noun: 'an interaction',
    toWork: (running) => ({ phase: 'job', order, author, ...running }) satisfies InteractionWork,
  };
};

/** Submits an interaction to the provider that runs it as a job. */
export const startJob = async (
  turn: InteractionTurn,
  jobs: InteractionJobs,
  { tries }: Phase<'asked'>,
): Promise<WorkOutcome> => {
  const { order, context, model } = turn;
  const refused = await refuseUnbegun(context);
  if (refused !== null) return refused;
  return startProviderJob(jobOf(turn, jobs, authorOf(model)), {
    call: await toInteractionCall(turn),
    submitting: { phase: 'submitting', order } satisfies InteractionWork,
    tries,
    asked: (triesNow) => ({ phase: 'asked', order, tries: triesNow }) satisfies InteractionWork,
  });
};

const finishJob = async (turn: InteractionTurn, { author }: Phase<'job'>, result: Interacted): Promise<WorkOutcome> => {
  const { engine, limits } = turn.options;
  const shelf = { engine, folder: folderOf(turn), keptMs: limits.blobsKeptMs, signal: turn.context.signal, index: 0 };
  const { status: ending, reference } = result;
  const usage = meterSteps(pricesOf(turn.options.engine, turn.work.operation), result.steps, result.usage);
  return closeInteraction(turn, { author, ending, steps: await keepSteps(shelf, result.steps), usage, reference });
};

/** Asks how far a job is. The client may want an end, or may not go on: then the upstream is asked to cancel once. */
export const pollJob = (turn: InteractionTurn, jobs: InteractionJobs, phase: Phase<'job'>): Promise<WorkOutcome> =>
  pollProviderJob(jobOf(turn, jobs, phase.author), phase, {
    onDone: (result) => finishJob(turn, phase, result),
    cancel: 'once',
  });
