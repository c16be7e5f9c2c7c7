import type {
  Generation,
  GenerationCall,
  GenerationTool,
  CallContext,
  Modality,
  Part,
  Provider,
  ResponseFormat,
  ToolChoice,
} from '@tollgate/provider';
import type { CatalogModel } from '@tollgate/contract';
import type { Engine } from '../../engine.ts';
import type { ModelRoute } from '../model-route.ts';
import { toContents, type StepGroup } from './to-contents.ts';
import type { PastInteraction } from './history.ts';
import { hasOwnTools, isRunByProvider, type InteractionModel } from './interaction-model.ts';
import type { InteractionLimits } from './interaction-limits.ts';
import type { DeclaredFunction, InteractionSettings } from './interaction-work.ts';
import type { StoredStep } from './stored-step.ts';

/** All that one model round is made of. */
export interface RoundSource {
  readonly engine: Engine;
  readonly limits: InteractionLimits;
  readonly model: InteractionModel;
  readonly projectId: string;
  readonly operationId: string;
  readonly settings: InteractionSettings;
  readonly environmentId: string | null;
  readonly history: readonly PastInteraction[];
  /** What came in and what has come of it so far. */
  readonly steps: readonly StoredStep[];
  readonly declared: readonly DeclaredFunction[];
  /** Only to reckon with: whether its files can be used is decided by the step that opens the interaction. */
  readonly isReckoned?: true;
}

export const authorOf = ({ provider, row }: InteractionModel): ModelRoute<string> => ({
  provider: provider.name,
  upstreamModel: row.upstreamId,
});

export const isSameAuthor = (one: ModelRoute<string>, other: ModelRoute<string>): boolean =>
  one.provider === other.provider && one.upstreamModel === other.upstreamModel;

const groupsOf = ({ history, model, steps, isReckoned }: RoundSource): readonly StepGroup[] => [
  ...history.map((past) => ({ steps: past.steps, isOwn: isSameAuthor(past.author, authorOf(model)), isPast: true })),
  { steps, isOwn: true, isPast: isReckoned === true },
];

/** The tools as `generate` takes them: functions of the client, what the provider runs, and a function for each of ours. */
const toolsOf = ({ settings, declared, model, environmentId }: RoundSource): readonly GenerationTool[] => [
  ...settings.tools.flatMap((tool): readonly GenerationTool[] => {
    if (tool.kind === 'function') return [tool];
    const runs = isRunByProvider(model, tool.kind, environmentId);
    return runs && (tool.kind === 'code_execution' || tool.kind === 'url_context') ? [{ kind: tool.kind }] : [];
  }),
  ...declared.map(({ tool: _tool, place: _place, ownName: _ownName, ...declaration }) => ({
    kind: 'function' as const,
    ...declaration,
  })),
];

/** The contract names no schema; upstreams that want a name get this one. */
const schemaName = 'response';

const responseFormat = ({ format, round }: InteractionSettings): ResponseFormat => {
  if (round !== undefined) return round.responseFormat;
  if (format.kind !== 'json') return { kind: 'text' };
  return format.schema === undefined
    ? { kind: 'json_object' }
    : { kind: 'json_schema', name: schemaName, schema: format.schema };
};

/** What a client forces, it forces once: a model that had to call a tool in every round would never come to an end. */
const toolChoiceOf = ({ round }: InteractionSettings, steps: readonly StoredStep[]): ToolChoice => {
  if (round === undefined) return { kind: 'auto' };
  const { toolChoice } = round;
  const isForced = toolChoice.kind === 'required' || toolChoice.kind === 'function';
  return isForced && steps.at(-1)?.kind === 'tool_result' ? { kind: 'auto' } : toolChoice;
};

const outputTokensOf = ({ limits, model, settings, environmentId }: RoundSource): number => {
  const { maxOutputTokens } = model.row;
  const most = Math.min(settings.round?.outputTokensMax ?? maxOutputTokens, maxOutputTokens);
  return hasOwnTools(model, settings.tools, environmentId) ? Math.min(most, limits.roundOutputTokensMax) : most;
};

/** What a model gives that is asked for nothing particular is its own choice. */
const modalitiesOf = ({ format }: InteractionSettings, { family }: CatalogModel): readonly Modality[] | undefined => {
  switch (format.kind) {
    case 'image':
      return family === 'image' ? undefined : ['image'];
    case 'audio':
      return ['audio'];
    case 'text':
    case 'json':
    case 'video':
      return undefined;
  }
};

type Media = Pick<GenerationCall, 'modalities' | 'image' | 'speech'>;

const mediaOf = (settings: InteractionSettings, row: CatalogModel): Media => {
  const { format, speech } = settings;
  const modalities = modalitiesOf(settings, row);
  const aspectRatio = format.kind === 'image' ? format.aspectRatio : undefined;
  const size = format.kind === 'image' ? format.resolution : undefined;
  const image = {
    ...(aspectRatio === undefined ? {} : { aspectRatio }),
    ...(size === undefined ? {} : { size }),
  };
  const language = speech?.language === undefined ? {} : { language: speech.language };
  return {
    ...(modalities === undefined ? {} : { modalities }),
    ...(Object.keys(image).length === 0 ? {} : { image }),
    ...(speech?.voice === undefined ? {} : { speech: { kind: 'one_voice', voice: speech.voice, ...language } }),
  };
};

/** One model round as a generation. Throws `NotExecuted` where something that the interaction named has gone. */
export const toGenerationCall = async (source: RoundSource): Promise<GenerationCall> => {
  const { engine, model, projectId, settings } = source;
  const { row, provider } = model;
  const { thinking } = settings;
  return {
    operationId: source.operationId,
    upstreamModel: row.upstreamId,
    systemInstruction: settings.systemInstruction,
    contents: await toContents(engine, { projectId, provider: provider.name }, groupsOf(source)),
    tools: toolsOf(source),
    toolChoice: toolChoiceOf(settings, source.steps),
    responseFormat: responseFormat(settings),
    sampling: settings.sampling,
    outputTokensMax: outputTokensOf(source),
    ...(thinking === undefined ? {} : { thinking }),
    ...settings.round?.sender,
    ...mediaOf(settings, row),
  };
};

/** Has a provider generate in whichever way it can. */
export const generateWhole = async (
  provider: Provider,
  call: GenerationCall,
  context: CallContext,
): Promise<Generation> => {
  if (provider.generate !== undefined) return provider.generate(call, context);
  if (provider.generateStream === undefined) throw new Error('the provider does not generate');
  const parts: Part[] = [];
  const end = await provider.generateStream(call, context, (more) => void parts.push(...more));
  return { ...end, text: '', functionCalls: [], parts };
};
