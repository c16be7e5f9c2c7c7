import type { CatalogModel } from '@tollgate/contract';
import type { GenerationCall } from '@tollgate/provider';
import { contextOf, estimateBeside, estimateInput, estimateOutput } from '../../ledger/estimate.ts';
import type { Estimate } from '../../ledger/hold.ts';
import type { Quantities } from '../../ledger/price-usage.ts';
import { findRunner } from '../../tools/find-runner.ts';
import type { ToolRunners } from '../../tools/tool-runner.ts';
import { estimatePieces, estimateUpstreamTools } from '../../ledger/unit-bounds.ts';
import type { InteractionLimits } from './interaction-limits.ts';
import { hasOwnTools, isRunByProvider, type InteractionModel } from './interaction-model.ts';
import type { StoredTool } from './stored-step.ts';

type Call = Omit<GenerationCall, 'operationId'>;

const times = (estimate: Estimate, factor: number): Estimate =>
  estimate.map((each) => ({ ...each, quantity: each.quantity * factor }));

export interface RoundsEstimate {
  /** The first model round. */
  readonly call: Call;
  /** Its input as the provider counts it, or null. */
  readonly counted: Quantities | null;
  readonly model: InteractionModel;
  readonly tools: readonly StoredTool[];
  readonly environmentId: string | null;
  readonly runners: ToolRunners;
  readonly limits: InteractionLimits;
}

const toolBounds = ({ model, tools, environmentId, runners, limits }: RoundsEstimate): Estimate =>
  tools.flatMap((tool) =>
    tool.kind === 'function' || isRunByProvider(model, tool.kind, environmentId)
      ? []
      : times(findRunner(runners, tool)?.callUsageMax ?? [], limits.toolCallsHeld),
  );

/**
 * What an interaction reserves that the gateway carries out: one generation where nothing but functions of the client are called;
 * where the gateway runs tools, `modelRoundsHeld` model rounds of `roundOutputTokensMax` and `toolCallsHeld` calls of each tool. An interaction that
 * needs less of each goes on for as long as the reservation covers the next model round.
 */
export const estimateRounds = (source: RoundsEstimate): Estimate => {
  const { call, counted, model, tools, environmentId, limits } = source;
  const { row } = model;
  const input = counted ?? estimateInput(call, contextOf(row));
  const round = [...input, ...estimateOutput(call, row), ...estimateBeside(call, row, input)];
  if (!hasOwnTools(model, tools, environmentId)) return round;
  return [...times(round, limits.modelRoundsHeld), ...toolBounds(source)];
};

/** Agents read and write several times for one answer. */
const agentTurns = 4;
/**
 * What an interaction reserves that its provider carries out as a job: input, the output that the model allows and what its tools
 * use (of agents four times each), and what its family makes, in the units that the price list has.
 */
export const estimateJob = (call: Call, row: CatalogModel, tools: readonly StoredTool[]): Estimate => {
  const input = estimateInput(call, contextOf(row));
  const turns = row.upstreamKind === 'agent' ? agentTurns : 1;
  const output = row.maxOutputTokens > 0 ? estimateOutput(call, row) : [];
  return [
    ...times([...input, ...output, ...estimateUpstreamTools(row, tools)], turns),
    ...estimatePieces(call, row, input),
  ];
};
