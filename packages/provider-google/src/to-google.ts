import { unplacedImageField, type CallField, type GenerationCall, type JsonObject } from '@tollgate/provider';
import type { ModelTraits } from './model-traits.ts';
import { toGoogleConfig } from './to-google-config.ts';
import { readArguments, toGoogleContents, type UriOf, type WireContent } from './to-google-contents.ts';
import { toGoogleTools } from './to-google-tools.ts';

/** The body of `generateContent`: its turns, which may hold bytes that are yet to be read, and everything else. */
export interface GoogleRequest {
  readonly contents: readonly WireContent[];
  readonly rest: JsonObject;
}

/** Writes a call as a request. Total and pure; what it cannot carry `cannotSend` tells. */
export const toGoogle = (call: GenerationCall, traits: ModelTraits, uriOf: UriOf): GoogleRequest => {
  const contents = toGoogleContents(call.contents, traits, uriOf);
  const system = call.systemInstruction === null || call.systemInstruction === '' ? undefined : call.systemInstruction;
  const isInstruction = system !== undefined && !traits.systemInFirstTurn;
  return {
    contents: system === undefined || isInstruction ? contents : withSystemText(contents, system),
    rest: {
      cachedContent: call.cached?.reference,
      // What is not asked for is served as standard.
      serviceTier: call.serviceTier === 'standard' ? undefined : call.serviceTier,
      systemInstruction: isInstruction ? { parts: [{ text: system }] } : undefined,
      ...toGoogleTools(call, traits),
      generationConfig: toGoogleConfig(call, traits),
      ...(call.safety === undefined || call.safety.length === 0 ? {} : { safetySettings: call.safety }),
    },
  };
};

/** Puts the system text before the first turn of the user, or makes a turn of it. */
export const withSystemText = (contents: readonly WireContent[], system: string): readonly WireContent[] => {
  const part = { kind: 'json', value: { text: `${system}\n\n` } } as const;
  const [first, ...others] = contents;
  if (first?.role === 'user') return [{ role: 'user', parts: [part, ...first.parts] }, ...others];
  return [{ role: 'user', parts: [part] }, ...contents];
};

/** Why a call cannot be carried, for the log, and the setting that is in the way. */
interface Obstacle {
  readonly why: string;
  readonly field: CallField;
}

/** Audio of these models is WAV or bare samples, of which the gateway makes the other. */
const isGiven = (format: GenerationCall['audioFormat']): boolean =>
  format === undefined || format === 'wav' || format === 'pcm';

/** Why a call cannot be carried by this upstream; undefined where it can. */
export const cannotSend = (call: GenerationCall, { tiered }: Pick<ModelTraits, 'tiered'>): Obstacle | undefined => {
  const calls = call.contents.flatMap(({ parts }) => parts.filter((part) => part.kind === 'function_call'));
  if (calls.some((part) => readArguments(part.arguments) === undefined))
    return { why: 'the arguments of a function call are no JSON object', field: 'contents' };
  const unplaced = unplacedImageField(call.image);
  if (unplaced !== undefined) return { why: 'the upstream has no place for a setting of the image', field: unplaced };
  if (!isGiven(call.audioFormat)) return { why: 'the upstream gives no audio in this form', field: 'audioFormat' };
  if (!tiered && (call.serviceTier ?? 'standard') !== 'standard')
    return { why: 'the upstream has no service tiers of the model', field: 'serviceTier' };
  const search = call.tools.find((tool) => tool.kind === 'web_search');
  const isLimited = [search?.allowedDomains, search?.blockedDomains, search?.usesMax].some(
    (limit) => limit !== undefined,
  );
  return isLimited ? { why: 'the search of the upstream takes no domains and no limit', field: 'tools' } : undefined;
};
