import { generationParts, type Generation } from '@tollgate/provider';
import { groundingOf } from './grounding.ts';

/** How an answer closes: why it ended, and what is said about it. */
export type ContentEnding =
  | {
      readonly kind: 'candidate';
      readonly closing: Readonly<Record<string, unknown>>;
      /** Whether it is an answer to go on from: neither refused nor with a call that could not be read. */
      readonly isUsable: boolean;
    }
  // generate:response:prompt-block
  /** The prompt itself was refused: there is no candidate. */
  | { readonly kind: 'blocked'; readonly blockReason: string };

const reasons = { stop: 'STOP', length: 'MAX_TOKENS', content_filter: 'SAFETY' } as const;

/** What of a candidate is passed on as the provider wrote it. */
const annotationNames = [
  'finishMessage',
  'safetyRatings',
  'citationMetadata',
  'groundingMetadata',
  'urlContextMetadata',
] as const;

/** What a provider grounds an answer on in words of its own, it says as citations of the texts. */
const annotationsOf = (generation: Generation): Readonly<Record<string, unknown>> => {
  const groundingMetadata =
    generation.finish === 'content_filter' ? undefined : groundingOf(generationParts(generation));
  const told: Readonly<Record<string, unknown>> = { groundingMetadata, ...generation.annotations };
  return Object.fromEntries(
    annotationNames.flatMap((name) => (told[name] === undefined ? [] : [[name, told[name]] as const])),
  );
};

/** A call whose arguments could not be read is reported as such, since it is missing among the parts. */
export const contentEnding = (end: Generation, malformed: boolean): ContentEnding => {
  if (end.promptBlock !== undefined) return { kind: 'blocked', blockReason: end.promptBlock };
  const finishReason = malformed ? 'MALFORMED_FUNCTION_CALL' : (end.finishDetail ?? reasons[end.finish]);
  return {
    kind: 'candidate',
    closing: { finishReason, ...annotationsOf(end) },
    isUsable: end.finish !== 'content_filter' && !malformed,
  };
};
