import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { asArray, asObject, type CallField } from '@tollgate/provider';
import { refuse } from './refuse.ts';

type Prepare = (options: LanguageModelV4CallOptions) => unknown;

const prepareOf = (model: LanguageModelV4): Prepare | undefined => {
  if (!('prepareRequest' in model) || typeof model.prepareRequest !== 'function') return undefined;
  // Sound: what is called is a function, and its answer is not trusted.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return model.prepareRequest.bind(model) as Prepare;
};

/** The settings of the AI SDK, by the names of its warnings. */
const fields: ReadonlyMap<unknown, CallField> = new Map([
  ['topK', 'topK'],
  ['topP', 'topP'],
  ['temperature', 'temperature'],
  ['seed', 'seed'],
  ['stopSequences', 'stopSequences'],
  ['frequencyPenalty', 'frequencyPenalty'],
  ['presencePenalty', 'presencePenalty'],
  ['responseFormat', 'responseFormat'],
  ['toolChoice', 'toolChoice'],
  ['tools', 'tools'],
  ['reasoning', 'thinking'],
] as const);

/** Tools are named one by one: `tool type: computer`, `provider-defined tool web_search`. */
const fieldOf = (feature: unknown): CallField | undefined =>
  fields.get(feature) ?? (typeof feature === 'string' && /\btool\b/.test(feature) ? 'tools' : undefined);

/**
 * Asks a model that can build its request without sending it what it would leave out, and refuses a call that would lose
 * something. Models of `@ai-sdk/openai-compatible` and those built on it can.
 */
export const checkBeforehand = async (model: LanguageModelV4, options: LanguageModelV4CallOptions): Promise<void> => {
  const prepared = asObject(await prepareOf(model)?.(options));
  for (const warning of asArray(prepared?.['warnings']).map(asObject)) {
    if (warning?.['type'] === 'unsupported')
      refuse(`the model has no ${String(warning['feature'])}`, fieldOf(warning['feature']));
  }
};
