import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { GenerationCall, GenerationTool, JsonObject, ToolChoice } from '@tollgate/provider';
import { toPrompt, type PromptWorld } from './to-prompt.ts';
import { refuse } from './refuse.ts';
import { builtInToolOf, type BuiltInTool, type ModelName, type ProviderTool, type Vendor } from './vendor.ts';
import { toSearchLimits } from './search-limits.ts';
import { toReasoning, toVendorOptions } from './vendor-options.ts';

export interface CallWorld extends PromptWorld {
  readonly model: ModelName;
  readonly builtInTool: (tool: BuiltInTool, model: ModelName) => ProviderTool | null | undefined;
}

type Tool = NonNullable<LanguageModelV4CallOptions['tools']>[number];

/** Writes a call as a language model of the AI SDK takes it. Throws `NotExecuted` for what it cannot carry. */
export const toCallOptions = (call: GenerationCall, world: CallWorld): LanguageModelV4CallOptions => {
  const { vendor, model } = world;
  const { sampling } = call;
  const reasoning = toReasoning(call, vendor);
  const providerOptions = toVendorOptions(call, vendor, model);
  return {
    prompt: toPrompt(call, world),
    maxOutputTokens: call.outputTokensMax,
    ...(sampling.temperature === undefined ? {} : { temperature: sampling.temperature }),
    ...(sampling.topP === undefined ? {} : { topP: sampling.topP }),
    ...(sampling.topK === undefined ? {} : { topK: sampling.topK }),
    ...(sampling.seed === undefined ? {} : { seed: sampling.seed }),
    ...(sampling.stopSequences === undefined || sampling.stopSequences.length === 0
      ? {}
      : { stopSequences: [...sampling.stopSequences] }),
    ...(sampling.frequencyPenalty === undefined ? {} : { frequencyPenalty: sampling.frequencyPenalty }),
    ...(sampling.presencePenalty === undefined ? {} : { presencePenalty: sampling.presencePenalty }),
    ...toTools(call, world),
    ...toResponseFormat(call),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(Object.keys(providerOptions).length === 0 ? {} : { providerOptions }),
  };
};

type JsonFormat = Extract<NonNullable<LanguageModelV4CallOptions['responseFormat']>, { type: 'json' }>;
type FunctionTool = Extract<Tool, { type: 'function' }>;

// A schema is any JSON object here; what it says is the upstream's to judge. So what is written with one is what the AI SDK
// calls its own type, whose members it takes from a package of types that is not always there.
const isJsonFormat = (written: {
  readonly type: string;
  readonly schema: JsonObject;
}): written is typeof written & JsonFormat => written.type === 'json';
const isFunctionTool = (written: {
  readonly type: string;
  readonly name: string;
  readonly inputSchema: JsonObject;
}): written is typeof written & FunctionTool => written.type === 'function';

const toResponseFormat = ({ responseFormat }: GenerationCall): Pick<LanguageModelV4CallOptions, 'responseFormat'> => {
  switch (responseFormat.kind) {
    case 'text':
      return {};
    case 'json_object':
      return { responseFormat: { type: 'json' } };
    case 'json_schema': {
      const { name, schema, description } = responseFormat;
      const described = description === undefined ? {} : { description };
      const written = { type: 'json', name, schema, ...described };
      return isJsonFormat(written) ? { responseFormat: written } : {};
    }
  }
};

const toTools = (call: GenerationCall, world: CallWorld): Pick<LanguageModelV4CallOptions, 'tools' | 'toolChoice'> => {
  if (call.tools.length === 0 && isFree(call.toolChoice)) return {};
  const names = call.tools.flatMap((tool) => (tool.kind === 'function' ? [tool.name] : []));
  checkMixture(call, names, world);
  const validated = call.toolChoice.kind === 'validated';
  return {
    tools: call.tools.map((tool) => toTool(tool, validated, world)),
    toolChoice: toToolChoice(call.toolChoice, names, world.vendor),
  };
};

const isFree = ({ kind }: ToolChoice): boolean => kind === 'auto' || kind === 'none';

/** Models of Google before the third generation leave functions out beside tools of their own. */
const checkMixture = (call: GenerationCall, names: readonly string[], { vendor, model }: CallWorld): void => {
  if (vendor !== 'google' || names.length === 0 || names.length === call.tools.length) return;
  if (/gemini-[12]\b/.test(model.modelId)) refuse('functions beside built-in tools');
};

const toTool = (tool: GenerationTool, validated: boolean, world: CallWorld): Tool => {
  if (tool.kind !== 'function') return toBuiltIn(tool, world);
  const strict = validated ? true : tool.strict;
  const written = {
    type: 'function',
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    inputSchema: tool.parameters ?? { type: 'object', properties: {} },
    ...(strict === undefined ? {} : { strict }),
  };
  return isFunctionTool(written) ? written : refuse('a function');
};

/** The provider tool for a built-in tool of a model; null where there is none. */
export const providerToolOf = (
  kind: BuiltInTool,
  { vendor, model, builtInTool }: Pick<CallWorld, 'vendor' | 'model' | 'builtInTool'>,
): ProviderTool | null => {
  const given = builtInTool(kind, model);
  return (given === undefined ? builtInToolOf(vendor, kind) : given) ?? null;
};

const toBuiltIn = (tool: Exclude<GenerationTool, { kind: 'function' }>, world: CallWorld): Tool => {
  const { kind } = tool;
  const written = providerToolOf(kind, world) ?? refuse(`the tool ${kind}`, 'tools');
  const limits = tool.kind === 'web_search' ? toSearchLimits(tool, world.vendor) : {};
  return { type: 'provider', id: written.id, name: kind, args: { ...written.args, ...limits } };
};

const toToolChoice = (
  choice: ToolChoice,
  declared: readonly string[],
  vendor: Vendor,
): NonNullable<LanguageModelV4CallOptions['toolChoice']> => {
  if (!isFree(choice) && declared.length === 0) refuse('a choice of functions without functions', 'toolChoice');
  switch (choice.kind) {
    case 'auto':
    case 'none':
      return { type: choice.kind };
    case 'function':
      return { type: 'tool', toolName: choice.name };
    case 'required': {
      const [only, ...others] = choice.names ?? [];
      if (only === undefined || namesAll(choice.names, declared)) return { type: 'required' };
      return others.length === 0
        ? { type: 'tool', toolName: only }
        : refuse('a choice of some of the functions', 'toolChoice');
    }
    case 'validated':
      // Google's models go into this mode where a function is strict.
      if (vendor !== 'google') return refuse('calls only as declared', 'toolChoice');
      return namesAll(choice.names, declared)
        ? { type: 'auto' }
        : refuse('a choice of some of the functions', 'toolChoice');
  }
};

const namesAll = (names: readonly string[] | undefined, declared: readonly string[]): boolean =>
  names === undefined || names.length === 0 || declared.every((name) => names.includes(name));
