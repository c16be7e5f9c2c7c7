import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { asArray, asObject } from '@tollgate/provider';
import { refuse } from './refuse.ts';

type Prepare = (options: LanguageModelV4CallOptions) => unknown;

const prepareOf = (model: LanguageModelV4): Prepare | undefined => {
  if (!('prepareRequest' in model) || typeof model.prepareRequest !== 'function') return undefined;
  // Sound: what is called is a function, and its answer is not trusted.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return model.prepareRequest.bind(model) as Prepare;
};

/**
 * Asks a model that can build its request without sending it what it would leave out, and refuses a call that would lose
 * something. Models of `@ai-sdk/openai-compatible` and those built on it can.
 */
export const checkBeforehand = async (model: LanguageModelV4, options: LanguageModelV4CallOptions): Promise<void> => {
  const prepared = asObject(await prepareOf(model)?.(options));
  for (const warning of asArray(prepared?.['warnings']).map(asObject)) {
    if (warning?.['type'] === 'unsupported') refuse(`the model has no ${String(warning['feature'])}`);
  }
};
