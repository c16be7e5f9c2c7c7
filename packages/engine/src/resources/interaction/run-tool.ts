import type { JsonObject, Usage } from '@tollgate/provider';
import { withDeadline } from '../../workers/with-deadline.ts';
import type { ToolOutcome, ToolRunner } from '../../tools/tool-runner.ts';
import { LostWork } from '../../workers/work-kind.ts';
import { asSetting, runnerOf, settingAt, toolContext } from './declare-tools.ts';
import { jsonObjectOf } from './from-generation.ts';
import type { InteractionTurn } from './interaction-turn.ts';
import type { DeclaredFunction } from './interaction-work.ts';
import type { StoredStep } from './stored-step.ts';

export type ToolCallStep = Extract<StoredStep, { readonly kind: 'tool_call' }>;

/** What one call of a tool came to. */
export interface ToolEnd {
  readonly step: StoredStep;
  readonly usage: readonly Usage[];
  readonly citations: readonly JsonObject[];
}

const boundUsage = (runner: ToolRunner): readonly Usage[] =>
  runner.callUsageMax.map(({ unit, quantity }) => ({ unit, quantity, confirmed: true }));

/** A call that came to nothing, as the model and the client get it. */
export const failedCall = ({ tool, id }: ToolCallStep, result: string, usage: readonly Usage[] = []): ToolEnd => ({
  step: { kind: 'tool_result', tool, callId: id, result, isError: true },
  usage,
  citations: [],
});

/** A call that a dead worker had begun: its outcome is unknown. */
export const interruptedCall = (call: ToolCallStep, runner: ToolRunner | undefined): ToolEnd =>
  failedCall(call, 'The call was interrupted.', runner === undefined ? [] : boundUsage(runner));

const cutTold = (told: string, charsMax: number): string =>
  told.length <= charsMax ? told : `${told.slice(0, charsMax)}\n[The rest is left out.]`.toWellFormed();

const endOf = ({ options }: InteractionTurn, { tool, id }: ToolCallStep, outcome: ToolOutcome): ToolEnd => {
  const { result, told, isError, usage, annotations = [] } = outcome;
  const text = told ?? (typeof result === 'string' ? result : JSON.stringify(result ?? null));
  const cut = cutTold(text, options.limits.toldCharsMax);
  return {
    step: {
      kind: 'tool_result',
      tool,
      callId: id,
      result,
      ...(told === undefined && cut === text ? {} : { told: cut }),
      ...(isError === true ? { isError } : {}),
    },
    usage,
    citations: annotations,
  };
};

const tooLate = (): Error => new Error('the tool took longer than it may');

/** How long a tool that was stopped may take to say how far it came: what did not begin costs nothing. */
const stopMs = 5_000;

/** Runs one call within its time, also where the tool does not look at its signal. */
const runInTime = (
  { options, context }: InteractionTurn,
  run: (signal: AbortSignal) => Promise<ToolOutcome>,
): Promise<ToolOutcome> => {
  const { toolCallMs: ms } = options.limits;
  return withDeadline(options.engine.clock, { ms, late: tooLate, signal: context.signal, grace: stopMs }, run);
};

/**
 * Runs one call of a tool that the gateway runs. What goes wrong in it is reported to the model; only that the work is lost is thrown.
 */
export const runTool = async (
  turn: InteractionTurn,
  call: ToolCallStep,
  { place, ownName }: DeclaredFunction,
): Promise<ToolEnd> => {
  const setting = settingAt(turn, place);
  const runner = setting === null ? undefined : runnerOf(turn, setting);
  const args = jsonObjectOf(call.called?.arguments ?? '');
  if (args === null) return failedCall(call, 'The arguments are no JSON object.');
  if (setting === null || runner?.run === undefined) return failedCall(call, 'No runner for this tool now.');
  const { run } = runner;
  try {
    const asked = { id: call.id, name: ownName, arguments: args };
    return endOf(
      turn,
      call,
      await runInTime(turn, (signal) => run(asSetting(setting), asked, toolContext(turn, signal))),
    );
  } catch (cause) {
    if (turn.context.signal.aborted) throw new LostWork('the work was let go of');
    turn.options.engine.logger.warn('a tool failed', { operationId: turn.work.operation.id, tool: call.tool, cause });
    return failedCall(call, 'The tool failed.', boundUsage(runner));
  }
};
