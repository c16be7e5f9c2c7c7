import { isNotExecuted, NotExecuted } from '@tollgate/provider';
import { withDeadline } from '../../workers/with-deadline.ts';
import { findRunner } from '../../tools/find-runner.ts';
import type { AskedTool } from '../../tools/asked-tool.ts';
import type { ToolContext, ToolFunction, ToolRunner, ToolSetting } from '../../tools/tool-runner.ts';
import { LostWork } from '../../workers/work-kind.ts';
import { environmentFiles } from '../environment/environment-files.ts';
import { environmentNetworks, networkVerdict } from '../environment/environment-network.ts';
import { isRunByProvider } from './interaction-model.ts';
import { openTool, type InteractionTurn } from './interaction-turn.ts';
import type { DeclaredFunction } from './interaction-work.ts';

type OwnTool = Exclude<AskedTool, { readonly kind: 'function' }>;

/** What a tool may know of the interaction that it works for. */
export const toolContext = ({ work, order, options }: InteractionTurn, signal: AbortSignal): ToolContext => {
  const { id, projectId, accountId, keyId, model } = work.operation;
  const { environmentId } = order;
  const networks = environmentNetworks(options.engine, options.seal);
  const mayAsk: ToolContext['mayAsk'] = async (url) =>
    environmentId === null ? { kind: 'allowed', headers: {} } : networkVerdict(await networks.find(environmentId), url);
  const files = environmentFiles(options.engine);
  return {
    operationId: id,
    projectId,
    accountId,
    keyId,
    model,
    environmentId,
    environmentFiles: files,
    mayAsk,
    signal,
  };
};

/** The runner of a tool, by which its setting is of its own kind. */
export const runnerOf = ({ options }: InteractionTurn, setting: OwnTool): ToolRunner | undefined =>
  findRunner(options.runners, setting);

/** The setting at a place among the tools, with what only its server may see. */
export const settingAt = ({ options, settings }: InteractionTurn, place: number): OwnTool | null => {
  const stored = settings.tools[place];
  if (stored === undefined || stored.kind === 'function') return null;
  const tool = openTool(options.seal, stored);
  return tool.kind === 'function' ? null : tool;
};

/** As a runner takes it; its kind has selected the runner. */
export const asSetting = (setting: OwnTool): ToolSetting<ToolRunner['tool']> => setting;

const declareOne = async (turn: InteractionTurn, setting: OwnTool): Promise<readonly ToolFunction[]> => {
  const runner = runnerOf(turn, setting);
  if (runner === undefined) throw new NotExecuted({ reason: 'unavailable', cause: `no runner for ${setting.kind}` });
  const { options, context } = turn;
  const deadline = { ms: options.limits.toolCallMs, signal: context.signal, grace: 'microtasks' } as const;
  const declare = async (signal: AbortSignal) => runner.declare(asSetting(setting), toolContext(turn, signal));
  try {
    return await withDeadline(options.engine.clock, deadline, declare);
  } catch (cause) {
    // The process lets go of it: another one asks the tool again.
    if (context.signal.aborted) throw new LostWork('the work was let go of', { cause });
    // Nothing has been paid for yet.
    throw isNotExecuted(cause) ? cause : new NotExecuted({ reason: 'failed', cause });
  }
};

/** A name that no other function has. */
const freshName = (name: string, taken: Set<string>): string => {
  let fresh = name;
  for (let number = 2; taken.has(fresh); number += 1) fresh = `${name}_${number}`;
  taken.add(fresh);
  return fresh;
};

const tooLong = (charsMax: number): NotExecuted =>
  new NotExecuted({ reason: 'input_limit', cause: `the tools declare more than ${charsMax} characters of functions` });

/** The functions by which the model asks for the tools that the gateway runs, named apart from the client's. */
export const declareTools = async (turn: InteractionTurn): Promise<readonly DeclaredFunction[]> => {
  const { settings, model, order } = turn;
  const taken = new Set(settings.tools.flatMap((tool) => (tool.kind === 'function' ? [tool.name] : [])));
  const declared: DeclaredFunction[] = [];
  const { declaredCharsMax } = turn.options.limits;
  let chars = 0;
  for (const place of settings.tools.keys()) {
    const setting = settingAt(turn, place);
    if (setting === null || isRunByProvider(model, setting.kind, order.environmentId)) continue;
    for (const { name: ownName, ...rest } of await declareOne(turn, setting)) {
      declared.push({ tool: setting.kind, place, ownName, name: freshName(ownName, taken), ...rest });
      chars += JSON.stringify(declared.at(-1)).length;
      if (chars > declaredCharsMax) throw tooLong(declaredCharsMax);
    }
  }
  return declared;
};
