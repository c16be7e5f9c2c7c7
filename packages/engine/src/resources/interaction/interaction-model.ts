import type { CatalogModel } from '@tollgate/contract';
import type { Provider } from '@tollgate/provider';
import { runsUpstream } from '../../tools/runs-upstream.ts';
import { findRunner } from '../../tools/find-runner.ts';
import type { ToolRunners } from '../../tools/tool-runner.ts';
import type { StoredTool } from './stored-step.ts';

/** Who carries interactions of a model out. */
export interface InteractionModel {
  readonly row: CatalogModel;
  readonly provider: Provider;
}

const isGenerationTool = (kind: StoredTool['kind']): kind is 'code_execution' | 'url_context' =>
  kind === 'code_execution' || kind === 'url_context';

/**
 * Whether the provider runs the tool itself while it generates; not where the tool is to see an environment of ours, or to keep to
 * its network.
 */
export const isRunByProvider = (
  { row, provider }: InteractionModel,
  kind: StoredTool['kind'],
  environmentId: string | null,
): boolean => {
  return isGenerationTool(kind) && environmentId === null && runsUpstream(row, provider, kind);
};

/** Whether the provider carries out interactions of this model as jobs. */
export const takesJobs = ({ row, provider }: InteractionModel): boolean =>
  provider.interactions !== undefined && (provider.takesInteraction?.(row.upstreamId) ?? true);

/** Families that `generate` serves; all others only their provider can carry out. */
const generated: ReadonlySet<string> = new Set(['text', 'image', 'speech']);

/** Whether the gateway can carry out interactions of this model round by round. */
export const takesRounds = ({ row, provider }: InteractionModel): boolean =>
  (provider.generate !== undefined || provider.generateStream !== undefined) &&
  generated.has(row.family) &&
  row.upstreamKind === 'model';

/** Whether interactions of this model can be carried out at all. */
export const servesInteractions = (model: InteractionModel): boolean => takesJobs(model) || takesRounds(model);

/** As a refusal names it. */
const nameOfTool = (tool: StoredTool): string => (tool.kind === 'host_tool' ? tool.name : tool.kind);

/** Why an interaction with these tools cannot be carried out round by round: the first tool without a runner, or null. */
export const unrunTool = (
  model: InteractionModel,
  tools: readonly StoredTool[],
  environmentId: string | null,
  runners: ToolRunners,
): string | null => {
  const hasFunctions = model.row.capabilities.includes('functions');
  for (const tool of tools) {
    const { kind } = tool;
    if (kind === 'function' ? hasFunctions : isRunByProvider(model, kind, environmentId)) continue;
    if (kind === 'function' || !hasFunctions || findRunner(runners, tool) === undefined) return nameOfTool(tool);
  }
  return null;
};

/** Whether the gateway runs any of the tools, so that one interaction takes several model rounds. */
export const hasOwnTools = (
  model: InteractionModel,
  tools: readonly StoredTool[],
  environmentId: string | null,
): boolean => tools.some(({ kind }) => kind !== 'function' && !isRunByProvider(model, kind, environmentId));
