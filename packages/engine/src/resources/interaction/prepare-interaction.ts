import type { ErrorCode } from '@tollgate/contract';
import type { GenerationCall, JsonObject } from '@tollgate/provider';
import type { BlobGuard } from '../../decisions/guard-blobs.ts';
import { refuseUnfinished } from '../../decisions/refuse-unfinished.ts';
import type { Engine } from '../../engine.ts';
import type { Estimate } from '../../ledger/hold.ts';
import type { Quantities } from '../../ledger/price-usage.ts';
import type { AskedTool } from '../../tools/asked-tool.ts';
import type { ToolRunners } from '../../tools/tool-runner.ts';
import { blobKeysOf } from '../stored-media.ts';
import { chooseExecution, refused, type RefusedInteraction } from './choose-execution.ts';
import { estimateRounds, estimateJob } from './estimate-interaction.ts';
import { toGenerationCall } from './generation-call.ts';
import { chainAfter, isTooLong, readHistory } from './history.ts';
import type { InteractionLimits } from './interaction-limits.ts';
import type { InteractionModel } from './interaction-model.ts';
import { sealTool } from './interaction-turn.ts';
import {
  interactionWork,
  type EndedInteraction,
  type InteractionChain,
  type InteractionOrder,
  type InteractionSettings,
} from './interaction-work.ts';
import type { TextSeal } from '../../access/seal-text.ts';
import { toStoredEstimate } from './stored-estimate.ts';
import { blobKeyOfJson, blobKeyOfNote, readJson, storeJson } from './stored-json.ts';
import { contentsOf, pendingCallsOf, type StoredStep } from './stored-step.ts';

/** An interaction as a route has checked it. */
export interface InteractionAsk {
  readonly id: string;
  readonly projectId: string;
  readonly model: InteractionModel;
  readonly input: readonly StoredStep[];
  readonly settings: Omit<InteractionSettings, 'tools'>;
  readonly tools: readonly AskedTool[];
  readonly previousId: string | null;
  readonly environmentId: string | null;
  /** See `InteractionOrder`. */
  readonly note?: JsonObject | undefined;
}

export interface InteractionPreparing {
  readonly engine: Engine;
  readonly limits: InteractionLimits;
  readonly runners: ToolRunners;
  readonly seal: TextSeal;
  readonly findReference: (id: string, provider: string) => Promise<string | null>;
  /** Refuses what the model does not offer, by throwing. */
  readonly check: (call: Omit<GenerationCall, 'operationId'>, execution: InteractionOrder['execution']) => void;
  /** The input of a call as the provider counts it, or null where it is not asked. */
  readonly count: (call: Omit<GenerationCall, 'operationId'>) => Promise<Quantities | null>;
}

export type PreparedInteraction =
  | RefusedInteraction
  | {
      readonly kind: 'prepared';
      readonly order: InteractionOrder;
      readonly estimate: Estimate;
      readonly guard: BlobGuard;
      /** Refuses a new interaction, but not the recovery of one that exists. */
      readonly refusal: ErrorCode | null;
    };

/** What an interaction goes on from. */
interface Start {
  readonly chain: InteractionChain;
  readonly previous: EndedInteraction | null;
  readonly refusal: ErrorCode | null;
}

const firstOfAll: Start = { chain: { previousId: null, depth: 0, bytes: 0 }, previous: null, refusal: null };

const findStart = async (
  { engine }: InteractionPreparing,
  { projectId, previousId }: InteractionAsk,
): Promise<Start | RefusedInteraction> => {
  if (previousId === null) return firstOfAll;
  const records = await engine.storage.read([
    { table: 'resource', id: previousId },
    { table: 'operation', id: previousId },
  ]);
  const resource = records.get('resource', previousId);
  if (resource === undefined || resource.projectId !== projectId || resource.kind !== 'interaction')
    return refused('not_found', 'There is no such interaction in this project.');
  const work = interactionWork(resource.work);
  const chain = { previousId, depth: 1, bytes: 0 };
  // Its steps are gone: it was deleted, or its time is over.
  if (work === null || resource.availability === 'deleted') return { chain, previous: null, refusal: 'not_found' };
  const refusal = refuseUnfinished(records.get('operation', previousId)?.state);
  if (work.phase !== 'ended') return { chain, previous: null, refusal: refusal ?? 'request_in_progress' };
  return { chain: chainAfter(previousId, work), previous: work, refusal: null };
};

// interactions:function-result:pending-call
/**
 * Every result must answer a call that waits for it: one of the interaction before, or one that stands before it in an input that
 * holds a whole conversation.
 */
const nameResults = (
  input: readonly StoredStep[],
  pending: ReturnType<typeof pendingCallsOf>,
): readonly StoredStep[] | RefusedInteraction => {
  const named: StoredStep[] = [];
  for (const step of input) {
    if (step.kind !== 'function_result') {
      named.push(step);
      continue;
    }
    const call = [...pending, ...named].find((each) => each.kind === 'function_call' && each.id === step.callId);
    if (call?.kind !== 'function_call')
      return refused('invalid_request', 'A function_result answers no call that the earlier interaction waits for.');
    if (step.name !== undefined && step.name !== call.name)
      return refused('invalid_request', 'A function_result names another function than the call that it answers.');
    named.push({ ...step, name: call.name });
  }
  return named;
};

const isRefused = (value: unknown): value is RefusedInteraction =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refused';

/** The first model round, as far as it is known before its tools have declared themselves. */
const firstCall = async (
  { engine, limits }: InteractionPreparing,
  ask: InteractionAsk,
  { chain, refusal }: Start,
): Promise<GenerationCall> =>
  toGenerationCall({
    engine,
    limits,
    model: ask.model,
    projectId: ask.projectId,
    operationId: ask.id,
    settings: { ...ask.settings, tools: ask.tools },
    environmentId: ask.environmentId,
    history: refusal === null ? await readHistory(engine, ask.projectId, chain) : [],
    steps: ask.input,
    declared: [],
    isReckoned: true,
  });

const estimateOf = async (
  preparing: InteractionPreparing,
  ask: InteractionAsk,
  execution: InteractionOrder['execution'],
  call: GenerationCall,
): Promise<Estimate> => {
  const { model, tools, environmentId } = ask;
  if (execution === 'job') return estimateJob(call, model.row, tools);
  const { runners, limits } = preparing;
  return estimateRounds({ call, counted: await preparing.count(call), model, tools, environmentId, runners, limits });
};

const orderOf = async (
  { engine, limits, seal }: InteractionPreparing,
  ask: InteractionAsk,
  { execution, estimate }: Pick<InteractionOrder, 'execution'> & { readonly estimate: Estimate },
  chain: InteractionChain,
): Promise<InteractionOrder> => {
  const shelf = { folder: `interactions/${ask.id}`, keptMs: limits.blobsKeptMs };
  const settings: InteractionSettings = { ...ask.settings, tools: ask.tools.map((tool) => sealTool(seal, tool)) };
  return {
    ...chain,
    execution,
    input: await storeJson(engine, shelf, ask.input),
    settings: await storeJson(engine, shelf, settings),
    environmentId: ask.environmentId,
    held: execution === 'rounds' ? toStoredEstimate(estimate) : null,
    note: ask.note === undefined ? null : await storeJson(engine, shelf, ask.note),
  };
};

const guardOf = (ask: InteractionAsk, { input, settings, note }: InteractionOrder, keptMs: number): BlobGuard => {
  const given = contentsOf(ask.input).flatMap((content) => (content.kind === 'given' ? [content.media] : []));
  return {
    blobKeys: [...blobKeyOfJson(input), ...blobKeyOfJson(settings), ...blobKeyOfNote(note), ...blobKeysOf(given)],
    keptMs,
  };
};

/**
 * Checks an interaction against what it continues and what its tools are run by, puts aside what its work needs, and tells what it
 * reserves. What is refused leaves nothing behind.
 */
export const prepareInteraction = async (
  preparing: InteractionPreparing,
  asked: InteractionAsk,
): Promise<PreparedInteraction> => {
  const start = await findStart(preparing, asked);
  if (isRefused(start)) return start;
  const { engine, limits } = preparing;
  if (isTooLong(start.chain, limits))
    return refused('input_limit', 'The interaction continues too many others, or too long ones.');
  const pending = start.previous === null ? [] : pendingCallsOf(await readJson(engine, start.previous.steps));
  const input = start.refusal === null ? nameResults(asked.input, pending) : asked.input;
  if (isRefused(input)) return input;
  const ask = { ...asked, input };
  const execution = await chooseExecution(preparing, ask);
  if (isRefused(execution)) return execution;
  const call = await firstCall(preparing, ask, start);
  preparing.check(call, execution);
  const estimate = await estimateOf(preparing, ask, execution, call);
  const order = await orderOf(preparing, ask, { execution, estimate }, start.chain);
  return {
    kind: 'prepared',
    order,
    estimate,
    guard: guardOf(ask, order, limits.blobsKeptMs),
    refusal: start.refusal,
  };
};
