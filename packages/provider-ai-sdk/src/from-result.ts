import type {
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { Generation, GenerationEnd, Part } from '@tollgate/provider';
import { createPartReader, type PartReader, type ReaderOptions } from './from-content.ts';
import { fromFinish, type AnswerSoFar } from './from-finish.ts';
import { fromGoogleMetadata } from './google-metadata.ts';
import { withoutCutCall } from './unwritten-call.ts';
import { countUnit, fromUsage } from './from-usage.ts';
import type { Vendor } from './vendor.ts';

export interface Ending {
  readonly finishReason: LanguageModelV4FinishReason;
  readonly usage: LanguageModelV4Usage;
  readonly providerMetadata?: SharedV4ProviderMetadata | undefined;
}

/** How an answer ended and what it used, whether it came whole or as a stream. */
export const fromEnding = (ending: Ending, reader: PartReader, vendor: Vendor, soFar: AnswerSoFar): GenerationEnd => {
  const { reason, whole } = fromFinish(ending.finishReason, vendor, soFar);
  const { urlFetches, searches, ...google } =
    vendor === 'google'
      ? fromGoogleMetadata(ending.providerMetadata, ending.finishReason)
      : { urlFetches: 0, searches: 0 };
  const tokens = fromUsage(ending.usage, whole);
  const tools = [
    ...countUnit('code_execution_runs', reader.codeRuns(), whole),
    ...countUnit('url_fetches', Math.max(urlFetches, reader.urlFetches()), whole),
    ...countUnit('web_search_queries', Math.max(searches, reader.searches()), whole),
  ];
  // Without tokens nothing is measured, whatever the tools did.
  return { finish: reason, usage: tokens.length === 0 ? [] : [...tokens, ...tools], ...google };
};

const visibleText = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === 'text' && part.thought !== true ? part.text : '')).join('');

/** Some models draft before they answer in JSON, and say which of their texts is the answer. */
const chooseText = (parts: readonly Part[], text: string): readonly Part[] => [
  ...parts.filter((part) => part.kind !== 'text' || part.thought === true),
  { kind: 'text', text },
];

/** Reads a whole answer. Throws `UnknownOutcome` where there is none to be found in it. */
export const fromResult = (result: LanguageModelV4GenerateResult, options: ReaderOptions): Generation => {
  const reader = createPartReader(options);
  const read = withoutCutCall(result.content, result.finishReason).flatMap((content) => reader.read(content));
  const end = fromEnding(result, reader, options.vendor, read.length === 0 ? 'nothing' : 'content');
  // A refusal has no answer: what the upstream says of it is not the model's.
  if (end.finish === 'content_filter') return { ...end, text: '', functionCalls: [], parts: [] };
  const parts = result.structuredOutputText === undefined ? read : chooseText(read, result.structuredOutputText);
  return {
    ...end,
    text: visibleText(parts),
    functionCalls: parts.filter((part) => part.kind === 'function_call'),
    parts,
  };
};
