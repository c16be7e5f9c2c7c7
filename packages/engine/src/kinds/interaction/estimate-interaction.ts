import type { CatalogModel } from '@tollgate/contract';
import type { GenerationCall, UsageUnit } from '@tollgate/provider';
import { estimateInput, estimateOutput } from '../../estimate.ts';
import type { ModelTariff, Quantities } from '../../tariff.ts';
import type { ToolRunners } from '../../tools/tool-runner.ts';
import type { InteractionLimits } from './interaction-limits.ts';
import { hasOwnTools, isRunByProvider, type InteractionModel } from './interaction-model.ts';
import type { StoredTool } from './stored-step.ts';

type Call = Omit<GenerationCall, 'operationId'>;

const times = (quantities: Quantities, factor: number): Quantities =>
  quantities.map(({ unit, quantity }) => ({ unit, quantity: quantity * factor }));

export interface HopsEstimate {
  /** The first hop. */
  readonly call: Call;
  /** Its input as the provider counts it, or null. */
  readonly counted: Quantities | null;
  readonly model: InteractionModel;
  readonly tools: readonly StoredTool[];
  readonly environmentId: string | null;
  readonly runners: ToolRunners;
  readonly limits: InteractionLimits;
}

const toolBounds = ({ model, tools, environmentId, runners, limits }: HopsEstimate): Quantities =>
  tools.flatMap(({ kind }) =>
    kind === 'function' || isRunByProvider(model, kind, environmentId)
      ? []
      : times(runners[kind]?.callUsageMax ?? [], limits.toolCallsHeld),
  );

/**
 * What an interaction reserves that the gateway carries out: one generation where nothing but functions of the client are called;
 * where the gateway runs tools, `hopsHeld` hops of `hopOutputTokensMax` and `toolCallsHeld` calls of each tool. An interaction that
 * needs less of each goes on for as long as the reservation covers the next hop.
 */
export const estimateHops = (source: HopsEstimate): Quantities => {
  const { call, counted, model, tools, environmentId, limits } = source;
  const { contextTokens } = model.row;
  const input = counted ?? estimateInput(call, contextTokens > 0 ? contextTokens : null);
  const hop = [...input, ...estimateOutput(call)];
  if (!hasOwnTools(model, tools, environmentId)) return hop;
  return [...times(hop, limits.hopsHeld), ...toolBounds(source)];
};

/** Agents read and write several times for one answer. */
const agentTurns = 4;
/** Upstreams count 32 tokens a second of sound. */
const audioTokensPerSecond = 32;
const videoSecondsHeld = 8;
const musicSecondsHeld = 300;

/** What comes out of a family beside text, in every unit that a provider may measure it by. */
const madeBy = ({ family }: CatalogModel, input: Quantities): Quantities => {
  switch (family) {
    case 'video':
      return [{ unit: 'video_seconds', quantity: videoSecondsHeld }];
    case 'music':
      return [
        { unit: 'music_clips', quantity: 1 },
        { unit: 'music_seconds', quantity: musicSecondsHeld },
      ];
    case 'transcription': {
      const tokens = input.find(({ unit }) => unit === 'input_audio_tokens')?.quantity ?? 0;
      return [{ unit: 'input_audio_seconds', quantity: Math.ceil(tokens / audioTokensPerSecond) }];
    }
    case 'image':
      return [{ unit: 'images', quantity: 1 }];
    case 'text':
    case 'speech':
    case 'embedding':
    case 'realtime':
      return [];
  }
};

const isPriced = (tariff: ModelTariff | null, unit: UsageUnit): boolean => tariff?.picosPerUnit.has(unit) ?? false;

/**
 * What an interaction reserves that its provider carries out as a job: input, the output that the model allows (of agents four times
 * both), and what its family makes, in the units that the price list has.
 */
export const estimateJob = (call: Call, row: CatalogModel, tariff: ModelTariff | null): Quantities => {
  const input = estimateInput(call, row.contextTokens > 0 ? row.contextTokens : null);
  const made = madeBy(row, input).filter(({ unit }) => isPriced(tariff, unit));
  const turns = row.upstreamKind === 'agent' ? agentTurns : 1;
  const output = row.maxOutputTokens > 0 ? estimateOutput(call) : [];
  return [...times([...input, ...output], turns), ...made];
};
