import type { CatalogModel } from '@tollgate/contract';
import { usageUnits, type GenerationCall, type ToolName, type UsageUnit } from '@tollgate/provider';
import type { Estimate, Estimated } from './hold.ts';
import type { Quantities } from './price-usage.ts';

type Call = Omit<GenerationCall, 'operationId'>;

/** What the catalog says of a model that bounds its calls. */
export type BoundRow = Pick<CatalogModel, 'family' | 'capabilities' | 'contextTokens' | 'unitsMax'>;

/** Upstreams count 32 tokens a second of audio that is heard, */
const heardTokensPerSecond = 32;
/** and 25 a second of audio that is made. */
const madeTokensPerSecond = 25;
/** A generated video or piece of music is as long at the most where the catalog does not say it. */
const videoSecondsMax = 8;
const musicSecondsMax = 300;

/** Calls of one tool that are reserved for where the upstream runs it; `unitsMax` of the catalog's entry says otherwise. */
const toolCallsHeld = 8;
/** Addresses that an upstream reads for one answer. */
const urlFetchesHeld = 20;
/** Tokens that tools of the upstream put into the prompt, within the model's context. */
const toolInputTokensHeld = 32_768;

/** By which unit each tool is metered that an upstream runs, and how many of them are reserved for. */
const toolUnits: Readonly<Record<ToolName, readonly [UsageUnit, number] | null>> = {
  code_execution: ['code_execution_runs', toolCallsHeld],
  url_context: ['url_fetches', urlFetchesHeld],
  web_search: ['web_search_queries', toolCallsHeld],
  maps: ['maps_queries', toolCallsHeld],
  file_search: ['retrieval_queries', toolCallsHeld],
  mcp_server: ['mcp_calls', toolCallsHeld],
  // The client carries its actions out.
  computer_use: null,
};

/** The bound of a unit as the row has it, or as it is known without. */
const boundOf = ({ unitsMax = {} }: BoundRow, unit: UsageUnit, known: number): Estimated => ({
  unit,
  quantity: unitsMax[unit] ?? known,
  ifPriced: true,
});

/** A tool as far as it says how much is reserved for it. */
export interface BoundTool {
  readonly kind: string;
  /** Calls of it at the most, which the upstream keeps to. */
  readonly usesMax?: number;
}

/** How many uses of a tool are reserved for: those that the request allows, or those that are known without. */
const usesOf = ({ unitsMax = {} }: BoundRow, { usesMax }: BoundTool, unit: UsageUnit, known: number): Estimated => ({
  unit,
  quantity: usesMax ?? unitsMax[unit] ?? known,
  ifPriced: true,
});

const isTool = (kind: string): kind is ToolName => Object.hasOwn(toolUnits, kind);

/** What the tools among these use that the upstream runs beside the model, and what they put into its prompt. */
export const estimateUpstreamTools = (row: BoundRow, tools: readonly BoundTool[]): Estimate => {
  const units = tools.flatMap((tool) => {
    const metered = isTool(tool.kind) ? toolUnits[tool.kind] : null;
    return metered === null ? [] : [usesOf(row, tool, ...metered)];
  });
  if (units.length === 0) return [];
  const context = row.contextTokens > 0 ? row.contextTokens : Infinity;
  const read = row.unitsMax?.['tool_use_input_tokens'] ?? Math.min(context, toolInputTokensHeld);
  return [...units, { unit: 'tool_use_input_tokens', quantity: read }];
};

export const makesImages = ({ family, capabilities }: Pick<BoundRow, 'family' | 'capabilities'>): boolean =>
  family === 'image' || capabilities.includes('image_generation');

/** Characters of all texts of a call, which is what is spoken at the most. */
const charactersOf = ({ contents, systemInstruction }: Call): number =>
  contents
    .flatMap(({ parts }) => parts)
    .reduce((sum, part) => (part.kind === 'text' ? sum + part.text.length : sum), systemInstruction?.length ?? 0);

const heardSeconds = (row: BoundRow, input: Quantities): Estimate => {
  const tokens = input.reduce((sum, { unit, quantity }) => (unit === 'input_audio_tokens' ? sum + quantity : sum), 0);
  return tokens === 0 ? [] : [boundOf(row, 'input_audio_seconds', Math.ceil(tokens / heardTokensPerSecond))];
};

/** What a model makes that an upstream may meter by pieces, seconds or characters. */
const madeBy = (row: BoundRow, call: Call): Estimate => {
  const { modalities = [], outputTokensMax } = call;
  const images = makesImages(row) || modalities.includes('image') ? [boundOf(row, 'images', Infinity)] : [];
  const isSpoken = row.family === 'speech' || modalities.includes('audio');
  const sound = isSpoken
    ? [
        boundOf(row, 'output_audio_seconds', Math.ceil(outputTokensMax / madeTokensPerSecond)),
        boundOf(row, 'speech_characters', charactersOf(call)),
      ]
    : [];
  switch (row.family) {
    case 'video':
      return [...images, ...sound, boundOf(row, 'video_seconds', videoSecondsMax)];
    case 'music':
      return [...images, boundOf(row, 'music_clips', 1), boundOf(row, 'music_seconds', musicSecondsMax)];
    case 'image':
    case 'speech':
    case 'transcription':
    case 'text':
    case 'embedding':
    case 'realtime':
      return [...images, ...sound];
  }
};

/** Units of tools are reserved with their tool only. */
const ofTools: ReadonlySet<string> = new Set([
  'tool_use_input_tokens',
  ...Object.values(toolUnits).flatMap((metered) => (metered === null ? [] : [metered[0]])),
]);

/** What else the row says that every call of the model may use. */
const alsoBy = ({ unitsMax }: BoundRow, known: Estimate): Estimate =>
  unitsMax === undefined ? [] : boundedBy(unitsMax, known);

const boundedBy = (unitsMax: NonNullable<BoundRow['unitsMax']>, known: Estimate): Estimate =>
  usageUnits.flatMap((unit) => {
    const quantity = unitsMax[unit];
    return quantity === undefined || ofTools.has(unit) || known.some((each) => each.unit === unit)
      ? []
      : [{ unit, quantity, ifPriced: true as const }];
  });

/**
 * What a call may use beside its tokens, in every unit that an upstream may meter it by: reserved where the price list has a price
 * of its own for it. `Infinity` where nothing bounds it: the call is refused then.
 */
export const estimatePieces = (call: Call, row: BoundRow, input: Quantities): Estimate => {
  const made = [...madeBy(row, call), ...heardSeconds(row, input)];
  return [...made, ...alsoBy(row, made)];
};
