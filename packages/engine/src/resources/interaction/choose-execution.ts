import type { ErrorCode } from '@tollgate/contract';
import type { AskedTool } from '../../tools/asked-tool.ts';
import type { ToolRunners } from '../../tools/tool-runner.ts';
import { takesJobs, takesRounds, unrunTool, type InteractionModel } from './interaction-model.ts';
import type { InteractionOrder, InteractionSettings, RoundWish } from './interaction-work.ts';

export interface RefusedInteraction {
  readonly kind: 'refused';
  readonly code: ErrorCode;
  readonly detail: string;
}

export const refused = (code: ErrorCode, detail: string): RefusedInteraction => ({ kind: 'refused', code, detail });

interface Choosing {
  readonly runners: ToolRunners;
  readonly findReference: (id: string, provider: string) => Promise<string | null>;
}

interface Chosen {
  readonly model: InteractionModel;
  readonly settings: Pick<InteractionSettings, 'round'>;
  readonly tools: readonly AskedTool[];
  readonly environmentId: string | null;
}

/** Whether everything that the interaction names is known to the provider as well. */
const isKnownThere = async ({ findReference }: Choosing, { model, tools, environmentId }: Chosen): Promise<boolean> => {
  // A tool of the host's own is known to nothing but the gateway.
  if (tools.some(({ kind }) => kind === 'host_tool')) return false;
  const stores = tools.flatMap((tool) => (tool.kind === 'file_search' ? tool.stores.map(({ id }) => id) : []));
  const ids = environmentId === null ? stores : [...stores, environmentId];
  for (const id of ids) if ((await findReference(id, model.provider.name)) === null) return false;
  return true;
};

const notOffered = (tool: string): RefusedInteraction =>
  refused(
    'model_incompatible',
    `Nothing runs the tool ${tool} in an interaction of this model: neither its provider nor the gateway.`,
  );
const unrun = ({ runners }: Choosing, { model, tools, environmentId }: Chosen) =>
  unrunTool(model, tools, environmentId, runners);

/** A job has no place for a choice among the tools, nor for a bound of their calls. */
const wayOfJob = (round: RoundWish | undefined): 'job' | RefusedInteraction => {
  if (round === undefined) return 'job';
  const { toolChoice, toolCallsMax, callsMaxByTool = {} } = round;
  const isBounded = toolCallsMax !== undefined || Object.keys(callsMaxByTool).length > 0;
  return toolChoice.kind === 'auto' && !isBounded
    ? 'job'
    : refused(
        'model_incompatible',
        'The provider of the model runs it as a job, which takes no choice of tools and no bound of their calls.',
      );
};

/** Who carries an interaction out: its provider as a job, or the gateway round by round. */
export const chooseExecution = async (
  preparing: Choosing,
  ask: Chosen,
): Promise<InteractionOrder['execution'] | RefusedInteraction> => {
  const byRounds = takesRounds(ask.model);
  const { round } = ask.settings;
  const tool = unrun(preparing, ask);
  // Model round by model round, more of what the client asked for is kept to, and its steps are seen as they come.
  if (round !== undefined && byRounds && tool === null) return 'rounds';
  const ofHost = byRounds ? undefined : ask.tools.find((each) => each.kind === 'host_tool');
  if (ofHost !== undefined) return notOffered(ofHost.name);
  if (takesJobs(ask.model) && (!byRounds || (await isKnownThere(preparing, ask)))) return wayOfJob(round);
  if (!byRounds) return refused('model_incompatible', 'No provider runs interactions of this model.');
  return tool === null ? 'rounds' : notOffered(tool);
};
