import {
  isNotExecuted,
  NotExecuted,
  readUsageAtLeast,
  type Generation,
  type GenerationCall,
  type Usage,
} from '@tollgate/provider';
import type { InteractionEnding } from '@tollgate/contract';
import { estimateGeneration } from '../../ledger/estimate.ts';
import { accessLost } from '../../workers/access-lost.ts';
import { meterOperation } from '../../ledger/meter-images.ts';
import { callInTime } from '../../workers/call-in-time.ts';
import { isLostWork, type WorkOutcome } from '../../workers/work-kind.ts';
import { isTransient } from '../../workers/is-transient.ts';
import { closeInteraction } from './close-interaction.ts';
import { coverDeclared } from './cover-declared.ts';
import { asSetting, declareTools, runnerOf, settingAt } from './declare-tools.ts';
import { fromGeneration, jsonObjectOf, type DescribeCall } from './from-generation.ts';
import { authorOf, generateWhole, toGenerationCall } from './generation-call.ts';
import { readHistory, type PastInteraction } from './history.ts';
import { hasOwnTools } from './interaction-model.ts';
import { addUsage, folderOf, isCovered, type InteractionTurn } from './interaction-turn.ts';
import type { DeclaredFunction, RoundProgress, InteractionWork } from './interaction-work.ts';
import { failedCall, interruptedCall, runTool, type ToolCallStep, type ToolEnd } from './run-tool.ts';
import { readJson, storeJson } from './stored-json.ts';
import { madeMediaOf, pendingCallsOf, type StoredStep } from './stored-step.ts';
import { withCitations } from './with-citations.ts';

/** A loop in a worker's hands: its progress, and what of it lies elsewhere, read. */
interface Loop {
  readonly turn: InteractionTurn;
  readonly input: readonly StoredStep[];
  readonly history: readonly PastInteraction[];
  readonly declared: readonly DeclaredFunction[];
  /** When this turn began, by the monotonic clock, and how long earlier ones were at it. */
  readonly beganAtMs: number;
  readonly workedBeforeMs: number;
  /** A call that died with its worker and may run again, and how many times it was begun. */
  readonly repeated: { readonly callId: string; readonly begun: number } | null;
  progress: RoundProgress;
  steps: readonly StoredStep[];
}

type Phase<P extends InteractionWork['phase']> = Extract<InteractionWork, { readonly phase: P }>;

const shelfOptions = (turn: InteractionTurn) => ({
  folder: folderOf(turn),
  keptMs: turn.options.limits.blobsKeptMs,
});

const workedMs = ({ turn, beganAtMs, workedBeforeMs }: Loop): number =>
  workedBeforeMs + Math.max(0, Math.round(turn.options.engine.clock.monotonicMs() - beganAtMs));

/** The progress with everything that has happened since it was kept. */
const progressOf = async (loop: Loop): Promise<RoundProgress> => ({
  ...loop.progress,
  steps: await storeJson(loop.turn.options.engine, shelfOptions(loop.turn), loop.steps),
  workedMs: workedMs(loop),
});

type Mark =
  | { readonly phase: 'between' }
  | { readonly phase: 'hop' }
  | { readonly phase: 'tool'; readonly callId: string; readonly begun: number };

/** Workers that may die in the same piece of work before it is taken for what kills them. */
const deathsMax = 2;

const checkpoint = async (loop: Loop, mark: Mark): Promise<void> => {
  loop.progress = await progressOf(loop);
  const work: InteractionWork = { ...mark, order: loop.turn.order, progress: loop.progress };
  await loop.turn.context.checkpoint(work);
};

const close = (loop: Loop, ending: InteractionEnding): Promise<WorkOutcome> =>
  closeInteraction(loop.turn, {
    author: loop.progress.author,
    ending,
    steps: loop.steps,
    usage: loop.progress.usage,
    reference: null,
  });

/** The calls that the gateway has to run. */
const openCalls = ({ steps }: Loop): readonly ToolCallStep[] => {
  const answered = new Set(steps.flatMap((step) => (step.kind === 'tool_result' ? [step.callId] : [])));
  return steps
    .filter((step): step is ToolCallStep => step.kind === 'tool_call' && step.called !== undefined)
    .filter(({ id }) => !answered.has(id));
};

/** Whether the model has to be asked: for the first time, or what it says to what its tools answered. */
const wantsRound = ({ progress, steps }: Loop): boolean => {
  if (progress.rounds === 0) return true;
  const last = steps.at(-1);
  if (last?.kind !== 'tool_result') return false;
  return steps.some((step) => step.kind === 'tool_call' && step.id === last.callId && step.called !== undefined);
};

const isSpent = (loop: Loop): boolean => {
  const { modelRoundsMax, stepsMax, stepsBytesMax, workMs } = loop.turn.options.limits;
  return (
    loop.progress.rounds >= modelRoundsMax ||
    loop.steps.length >= stepsMax ||
    workedMs(loop) >= workMs ||
    Buffer.byteLength(JSON.stringify(loop.steps)) > stepsBytesMax
  );
};

const describeCall =
  (turn: InteractionTurn): DescribeCall =>
  (declared, id, called) => {
    const setting = settingAt(turn, declared.place);
    const runner = setting === null ? undefined : runnerOf(turn, setting);
    // Without a way to run it the client does.
    if (setting === null || runner?.run === undefined) return null;
    const args = jsonObjectOf(called.arguments) ?? {};
    const run = { id, name: declared.ownName, arguments: args };
    return { tool: declared.tool, arguments: runner.stepArguments?.(asSetting(setting), run) ?? args };
  };

/** A measure that is missing makes all of it unknown. */
const measured = (usage: readonly Usage[]): readonly Usage[] =>
  usage.length === 0 ? [{ unit: 'input_text_tokens', quantity: 0, confirmed: false }] : usage;

const takeAnswer = async (loop: Loop, generation: Generation): Promise<void> => {
  const { turn, progress } = loop;
  const { engine } = turn.options;
  const taken = new Set(loop.steps.flatMap((step) => ('id' in step ? [step.id] : [])));
  const { steps, malformed } = await fromGeneration(generation, {
    shelf: { engine, ...shelfOptions(turn), signal: turn.context.signal, index: madeMediaOf(loop.steps).length },
    declared: new Map(loop.declared.map((each) => [each.name, each])),
    describe: describeCall(turn),
    taken,
  });
  const cited = withCitations(steps, progress.citations);
  loop.steps = [...loop.steps, ...cited.steps];
  loop.progress = {
    ...progress,
    usage: addUsage(progress.usage, measured(meterOperation(engine, turn.work.operation, generation))),
    rounds: progress.rounds + 1,
    citations: cited.placed ? [] : progress.citations,
    tries: 0,
    cut: malformed || generation.finish !== 'stop',
  };
};

const firstPauseMs = 2_000;

/** A model round that was not executed: it is tried again where that may help, and what was paid for before it is never thrown away. */
const missedRound = async (loop: Loop, cause: unknown): Promise<WorkOutcome> => {
  if (isLostWork(cause)) throw cause;
  if (!isNotExecuted(cause))
    return { kind: 'unknown', cause, usageAtLeast: addUsage(loop.progress.usage, readUsageAtLeast(cause)) };
  const tries = loop.progress.tries + 1;
  if (isTransient(cause) && tries < loop.turn.options.limits.triesMax) {
    const progress = { ...(await progressOf(loop)), tries };
    const afterMs = cause.retryAfterMs ?? firstPauseMs * 2 ** (tries - 1);
    return {
      kind: 'later',
      afterMs,
      work: { phase: 'between', order: loop.turn.order, progress } satisfies InteractionWork,
    };
  }
  if (loop.progress.rounds === 0) throw cause;
  return close(loop, 'incomplete');
};

const nextCall = (loop: Loop): Promise<GenerationCall> => {
  const { turn, progress, input, history, declared, steps } = loop;
  const { operation } = turn.work;
  return toGenerationCall({
    engine: turn.options.engine,
    limits: turn.options.limits,
    model: turn.model,
    projectId: operation.projectId,
    // An upstream that is asked about an operation by its id is asked about one model round of it.
    operationId: progress.rounds === 0 ? operation.id : `${operation.id}-${progress.rounds}`,
    settings: turn.settings,
    environmentId: turn.order.environmentId,
    history,
    steps: [...input, ...steps],
    declared,
  });
};

const fitsRound = ({ turn, progress }: Loop, call: GenerationCall): boolean => {
  return isCovered(turn, progress.usage, estimateGeneration(call, turn.model.row));
};

/** Asks the model once. Null where the interaction goes on. */
const runRound = async (loop: Loop): Promise<WorkOutcome | null> => {
  const { turn } = loop;
  const { provider } = turn.model;
  const { engine } = turn.options;
  let generation: Generation;
  try {
    const call = await nextCall(loop);
    // The first model round is what was reserved for, and raised for when its functions were declared.
    if (loop.progress.rounds > 0 && !fitsRound(loop, call)) return await close(loop, 'incomplete');
    await checkpoint(loop, { phase: 'hop' });
    const context = turn.context.callContext(provider.name);
    generation = await callInTime(engine, context, engine.limits.executionMs, (each) =>
      generateWhole(provider, call, each),
    );
  } catch (cause) {
    return missedRound(loop, cause);
  }
  await takeAnswer(loop, generation);
  await checkpoint(loop, { phase: 'between' });
  return loop.progress.usage.every(({ confirmed }) => confirmed) ? null : close(loop, 'incomplete');
};

const takeTool = (loop: Loop, end: ToolEnd): void => {
  const { progress } = loop;
  loop.steps = [...loop.steps, end.step];
  loop.progress = {
    ...progress,
    usage: addUsage(progress.usage, end.usage),
    toolCalls: progress.toolCalls + 1,
    citations: [...progress.citations, ...end.citations],
  };
};

/** Whether the client lets no more calls of this tool be made. */
const isUsedUp = ({ turn, progress, steps }: Loop, { tool }: ToolCallStep): boolean => {
  const { toolCallsMax = Infinity, callsMaxByTool = {} } = turn.settings.round ?? {};
  const calls = steps.filter((step) => step.kind === 'tool_result' && step.tool === tool).length;
  return progress.toolCalls >= toolCallsMax || calls >= (callsMaxByTool[tool] ?? Infinity);
};

const runOpenCall = async (loop: Loop, call: ToolCallStep): Promise<void> => {
  const { turn, progress, repeated } = loop;
  const declared = loop.declared.find(({ name }) => name === call.called?.name);
  if (declared === undefined) return takeTool(loop, failedCall(call, 'There is no such tool.'));
  const setting = settingAt(turn, declared.place);
  const bound = setting === null ? [] : (runnerOf(turn, setting)?.callUsageMax ?? []);
  const isOver = isUsedUp(loop, call) || progress.toolCalls >= turn.options.limits.toolCallsMax;
  if (isOver || !isCovered(turn, progress.usage, bound))
    return takeTool(loop, failedCall(call, 'The interaction may not call more tools.'));
  const begun = call.id === repeated?.callId ? repeated.begun : 0;
  await checkpoint(loop, { phase: 'tool', callId: call.id, begun: begun + 1 });
  takeTool(loop, await runTool(turn, call, declared));
};

/**
 * How it ends where nothing more may begin: the client has cancelled it, or its key may not be used any more. What was consumed
 * until then is charged. Null where it goes on.
 */
const endStopped = async (loop: Loop): Promise<WorkOutcome | null> => {
  const { context } = loop.turn;
  const isUnbegun = loop.progress.rounds === 0;
  if (await context.isCancelling()) return isUnbegun ? { kind: 'cancelled' } : close(loop, 'cancelled');
  const code = await context.accessRefusal();
  if (code === null) return null;
  return isUnbegun ? { kind: 'refused', code, cause: new Error(accessLost) } : close(loop, 'incomplete');
};

/** Goes on until the interaction has ended, or waits. Everything that is handed over is marked before. */
const goOn = async (loop: Loop): Promise<WorkOutcome> => {
  for (;;) {
    // One call after the other, so that no two of them are begun when the worker dies.
    for (const call of openCalls(loop)) {
      const stopped = await endStopped(loop);
      if (stopped !== null) return stopped;
      await runOpenCall(loop, call);
    }
    if (pendingCallsOf(loop.steps).length > 0) return close(loop, 'requires_action');
    if (!wantsRound(loop)) return close(loop, loop.progress.cut ? 'incomplete' : 'completed');
    const stopped = await endStopped(loop);
    if (stopped !== null) return stopped;
    if (isSpent(loop)) return close(loop, 'incomplete');
    const outcome = await runRound(loop);
    if (outcome !== null) return outcome;
  }
};

const openLoop = async (
  turn: InteractionTurn,
  progress: RoundProgress,
  repeated: Loop['repeated'] = null,
): Promise<Loop> => {
  const { engine } = turn.options;
  return {
    turn,
    input: await readJson(engine, turn.order.input),
    history: await readHistory(engine, turn.work.operation.projectId, turn.order),
    declared: await readJson(engine, progress.declared),
    beganAtMs: engine.clock.monotonicMs(),
    workedBeforeMs: progress.workedMs,
    repeated,
    progress,
    steps: await readJson(engine, progress.steps),
  };
};

/** Marks that the tools declare their functions: bytes of strangers are read then, and nothing has been handed over. */
const markDeclaring = async (turn: InteractionTurn, { begun, openedMicros }: Declaring): Promise<void> => {
  const { context, order, settings, model } = turn;
  if (begun >= deathsMax)
    throw new NotExecuted({
      reason: 'failed',
      cause: `${begun} workers died while the tools declared their functions`,
    });
  if (!hasOwnTools(model, settings.tools, order.environmentId)) return;
  const work: InteractionWork = { phase: 'declaring', order, begun: begun + 1, openedMicros };
  await context.checkpoint(work);
};

/** How often the tools were asked for their functions, and what the interaction held when it was opened. */
type Declaring = Pick<Phase<'declaring'>, 'begun' | 'openedMicros'>;

/** An interaction of which nothing was handed over yet. */
export const beginRounds = async (turn: InteractionTurn, before: Declaring | null): Promise<WorkOutcome> => {
  const { engine } = turn.options;
  const declaring = before ?? { begun: 0, openedMicros: String(turn.work.operation.holdMicros) };
  await markDeclaring(turn, declaring);
  const declared = await declareTools(turn);
  const covered = await coverDeclared(turn, declared, BigInt(declaring.openedMicros));
  const progress: RoundProgress = {
    author: authorOf(turn.model),
    declared: await storeJson(engine, shelfOptions(turn), declared),
    steps: { kind: 'inline', value: [] },
    usage: [],
    rounds: 0,
    toolCalls: 0,
    citations: [],
    workedMs: 0,
    tries: 0,
    cut: false,
  };
  const loop = await openLoop(covered ?? turn, progress);
  // Where the balance does not allow the whole hold, the first model round must fit in the one that there is.
  if (covered === null && !fitsRound(loop, await nextCall(loop)))
    return { kind: 'refused', code: 'ai_insufficient_credits', cause: new Error('the declared functions do not fit') };
  return goOn(loop);
};

/** An interaction that a worker had, and where nothing was under way. */
export const resumeRounds = async (turn: InteractionTurn, { progress }: Phase<'between'>): Promise<WorkOutcome> =>
  goOn(await openLoop(turn, progress));

/**
 * An interaction whose worker died while a tool ran: what only reads runs again, unless workers keep dying of it; the model is
 * informed of the rest.
 */
export const resumeTool = async (
  turn: InteractionTurn,
  { progress, callId, begun = 1 }: Phase<'tool'>,
): Promise<WorkOutcome> => {
  const loop = await openLoop(turn, progress, { callId, begun });
  const call = openCalls(loop).find(({ id }) => id === callId);
  const declared = loop.declared.find(({ name }) => name === call?.called?.name);
  const setting = declared === undefined ? null : settingAt(turn, declared.place);
  const runner = setting === null ? undefined : runnerOf(turn, setting);
  const isRepeated = runner?.isRepeatable === true && begun < deathsMax;
  if (call !== undefined && !isRepeated) takeTool(loop, interruptedCall(call, runner));
  return goOn(loop);
};
