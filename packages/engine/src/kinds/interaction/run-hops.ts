import { isNotExecuted, type Generation, type GenerationCall, type JsonObject, type Usage } from '@tollgate/provider';
import type { InteractionEnding } from '@tollgate/contract';
import { estimateInput, estimateOutput } from '../../estimate.ts';
import { callInTime } from '../../work/call-in-time.ts';
import type { WorkOutcome } from '../../work/work-kind.ts';
import { closeInteraction } from './close-interaction.ts';
import { asSetting, declareTools, runnerOf, settingAt } from './declare-tools.ts';
import { fromGeneration, jsonObjectOf, type DescribeCall } from './from-generation.ts';
import { authorOf, generateWhole, toGenerationCall } from './generation-call.ts';
import { readHistory, type PastInteraction } from './history.ts';
import { addUsage, folderOf, isCovered, type InteractionTurn } from './interaction-turn.ts';
import type { DeclaredFunction, HopProgress, InteractionWork } from './interaction-work.ts';
import { failedCall, interruptedCall, runTool, type ToolCallStep, type ToolEnd } from './run-tool.ts';
import { readJson, storeJson } from './stored-json.ts';
import { madeMediaOf, pendingCallsOf, type StoredContent, type StoredStep } from './stored-step.ts';

/** A loop in a worker's hands: its progress, and what of it lies elsewhere, read. */
interface Loop {
  readonly turn: InteractionTurn;
  readonly input: readonly StoredStep[];
  readonly history: readonly PastInteraction[];
  readonly declared: readonly DeclaredFunction[];
  /** When this turn began, by the monotonic clock, and how long earlier ones were at it. */
  readonly beganAtMs: number;
  readonly workedBeforeMs: number;
  progress: HopProgress;
  steps: readonly StoredStep[];
}

type Phase<P extends InteractionWork['phase']> = Extract<InteractionWork, { readonly phase: P }>;

const shelfOptions = (turn: InteractionTurn) => ({
  folder: folderOf(turn),
  keptMs: turn.options.limits.blobsKeptMs,
});

const workedMs = ({ turn, beganAtMs, workedBeforeMs }: Loop): number =>
  workedBeforeMs + Math.max(0, Math.round(turn.options.engine.monotonicMs() - beganAtMs));

/** The progress with everything that has happened since it was kept. */
const progressOf = async (loop: Loop): Promise<HopProgress> => ({
  ...loop.progress,
  steps: await storeJson(loop.turn.options.engine, shelfOptions(loop.turn), loop.steps),
  workedMs: workedMs(loop),
});

type Mark =
  | { readonly phase: 'between' }
  | { readonly phase: 'hop' }
  | { readonly phase: 'tool'; readonly callId: string };

const keep = async (loop: Loop, mark: Mark): Promise<void> => {
  loop.progress = await progressOf(loop);
  const work: InteractionWork = { ...mark, order: loop.turn.order, progress: loop.progress };
  await loop.turn.context.keep(work);
};

const close = (loop: Loop, ending: InteractionEnding): Promise<WorkOutcome> =>
  closeInteraction(loop.turn, {
    author: loop.progress.author,
    ending,
    steps: loop.steps,
    usage: loop.progress.usage,
    note: null,
  });

/** The calls that the gateway has to run. */
const openCalls = ({ steps }: Loop): readonly ToolCallStep[] => {
  const answered = new Set(steps.flatMap((step) => (step.kind === 'tool_result' ? [step.callId] : [])));
  return steps
    .filter((step): step is ToolCallStep => step.kind === 'tool_call' && step.called !== undefined)
    .filter(({ id }) => !answered.has(id));
};

/** Whether the model has to be asked: for the first time, or what it says to what its tools answered. */
const wantsHop = ({ progress, steps }: Loop): boolean => {
  if (progress.hops === 0) return true;
  const last = steps.at(-1);
  if (last?.kind !== 'tool_result') return false;
  return steps.some((step) => step.kind === 'tool_call' && step.id === last.callId && step.called !== undefined);
};

const isSpent = (loop: Loop): boolean => {
  const { hopsMax, stepsMax, stepsBytesMax, workMs } = loop.turn.options.limits;
  return (
    loop.progress.hops >= hopsMax ||
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

/** Citations of what tools found belong to what the model says next. */
const withCitations = (
  steps: readonly StoredStep[],
  citations: readonly JsonObject[],
): { readonly steps: readonly StoredStep[]; readonly placed: boolean } => {
  const place = steps.findLastIndex(
    (step) => step.kind === 'model_output' && step.content.some(({ kind }) => kind === 'text'),
  );
  const output = steps[place];
  if (citations.length === 0 || output?.kind !== 'model_output') return { steps, placed: false };
  const last = output.content.findLastIndex(({ kind }) => kind === 'text');
  const content = output.content.map((each, index): StoredContent =>
    index === last && each.kind === 'text'
      ? { ...each, annotations: [...(each.annotations ?? []), ...citations] }
      : each,
  );
  return { steps: steps.with(place, { kind: 'model_output', content }), placed: true };
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
    usage: addUsage(progress.usage, measured(generation.usage)),
    hops: progress.hops + 1,
    citations: cited.placed ? [] : progress.citations,
    tries: 0,
    cut: malformed || generation.finish !== 'stop',
  };
};

const passes = (cause: unknown): boolean =>
  isNotExecuted(cause) && (cause.reason === 'rate_limited' || cause.reason === 'unavailable');

const firstPauseMs = 2_000;

/** A hop that was not executed: it is tried again where that may help, and what was paid for before it is never thrown away. */
const missedHop = async (loop: Loop, cause: unknown): Promise<WorkOutcome> => {
  if (!isNotExecuted(cause)) throw cause;
  const tries = loop.progress.tries + 1;
  if (passes(cause) && tries < loop.turn.options.limits.triesMax) {
    const progress = { ...(await progressOf(loop)), tries };
    const afterMs = cause.retryAfterMs ?? firstPauseMs * 2 ** (tries - 1);
    return {
      kind: 'later',
      afterMs,
      work: { phase: 'between', order: loop.turn.order, progress } satisfies InteractionWork,
    };
  }
  if (loop.progress.hops === 0) throw cause;
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
    // An upstream that is asked about an operation by its id is asked about one hop of it.
    operationId: progress.hops === 0 ? operation.id : `${operation.id}-${progress.hops}`,
    settings: turn.settings,
    environmentId: turn.order.environmentId,
    history,
    steps: [...input, ...steps],
    declared,
  });
};

const fitsHop = ({ turn, progress }: Loop, call: GenerationCall): boolean => {
  const { contextTokens } = turn.model.row;
  const input = estimateInput(call, contextTokens > 0 ? contextTokens : null);
  return isCovered(turn, progress.usage, [...input, ...estimateOutput(call)]);
};

/** Asks the model once. Null where the interaction goes on. */
const runHop = async (loop: Loop): Promise<WorkOutcome | null> => {
  const { turn } = loop;
  const { provider } = turn.model;
  const { engine } = turn.options;
  let generation: Generation;
  try {
    const call = await nextCall(loop);
    // The first hop is what was reserved for.
    if (loop.progress.hops > 0 && !fitsHop(loop, call)) return await close(loop, 'incomplete');
    await keep(loop, { phase: 'hop' });
    const context = turn.context.callContext(provider.name);
    generation = await callInTime(engine, context, engine.limits.executionMs, (each) =>
      generateWhole(provider, call, each),
    );
  } catch (cause) {
    return missedHop(loop, cause);
  }
  await takeAnswer(loop, generation);
  await keep(loop, { phase: 'between' });
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

const runOpenCall = async (loop: Loop, call: ToolCallStep): Promise<void> => {
  const { turn, progress } = loop;
  const declared = loop.declared.find(({ name }) => name === call.called?.name);
  if (declared === undefined) return takeTool(loop, failedCall(call, 'There is no such tool.'));
  const setting = settingAt(turn, declared.place);
  const bound = setting === null ? [] : (runnerOf(turn, setting)?.callUsageMax ?? []);
  if (progress.toolCalls >= turn.options.limits.toolCallsMax || !isCovered(turn, progress.usage, bound))
    return takeTool(loop, failedCall(call, 'The interaction may not call more tools.'));
  await keep(loop, { phase: 'tool', callId: call.id });
  takeTool(loop, await runTool(turn, call, declared));
};

/** Goes on until the interaction has ended, or waits. Everything that is handed over is marked before. */
const goOn = async (loop: Loop): Promise<WorkOutcome> => {
  for (;;) {
    // One call after the other, so that no two of them are begun when the worker dies.
    for (const call of openCalls(loop)) {
      if (await loop.turn.context.isCancelling()) return close(loop, 'cancelled');
      await runOpenCall(loop, call);
    }
    if (pendingCallsOf(loop.steps).length > 0) return close(loop, 'requires_action');
    if (!wantsHop(loop)) return close(loop, loop.progress.cut ? 'incomplete' : 'completed');
    if (await loop.turn.context.isCancelling())
      return loop.progress.hops === 0 ? { kind: 'cancelled' } : close(loop, 'cancelled');
    if (isSpent(loop)) return close(loop, 'incomplete');
    const outcome = await runHop(loop);
    if (outcome !== null) return outcome;
  }
};

const openLoop = async (turn: InteractionTurn, progress: HopProgress): Promise<Loop> => {
  const { engine } = turn.options;
  return {
    turn,
    input: await readJson(engine, turn.order.input),
    history: await readHistory(engine, turn.work.operation.projectId, turn.order),
    declared: await readJson(engine, progress.declared),
    beganAtMs: engine.monotonicMs(),
    workedBeforeMs: progress.workedMs,
    progress,
    steps: await readJson(engine, progress.steps),
  };
};

/** An interaction that nobody has worked on yet. */
export const beginHops = async (turn: InteractionTurn): Promise<WorkOutcome> => {
  const { engine } = turn.options;
  const declared = await declareTools(turn);
  const progress: HopProgress = {
    author: authorOf(turn.model),
    declared: await storeJson(engine, shelfOptions(turn), declared),
    steps: { kind: 'inline', value: [] },
    usage: [],
    hops: 0,
    toolCalls: 0,
    citations: [],
    workedMs: 0,
    tries: 0,
    cut: false,
  };
  return goOn(await openLoop(turn, progress));
};

/** An interaction that somebody worked on, and where nothing was under way. */
export const resumeHops = async (turn: InteractionTurn, { progress }: Phase<'between'>): Promise<WorkOutcome> =>
  goOn(await openLoop(turn, progress));

/** An interaction whose worker died while a tool ran: what only reads runs again, of the rest the model is told. */
export const resumeTool = async (turn: InteractionTurn, { progress, callId }: Phase<'tool'>): Promise<WorkOutcome> => {
  const loop = await openLoop(turn, progress);
  const call = openCalls(loop).find(({ id }) => id === callId);
  const declared = loop.declared.find(({ name }) => name === call?.called?.name);
  const setting = declared === undefined ? null : settingAt(turn, declared.place);
  const runner = setting === null ? undefined : runnerOf(turn, setting);
  if (call !== undefined && runner?.isRepeatable !== true) takeTool(loop, interruptedCall(call, runner));
  return goOn(loop);
};
