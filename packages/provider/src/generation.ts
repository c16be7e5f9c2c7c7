import type { CacheMark } from './cache-mark.ts';
import type { Content, FunctionCallPart, Part } from './content.ts';
import type { ImageSettings } from './image-settings.ts';
import type { JsonObject } from './json-object.ts';
import type { ServiceTier } from './service-tier.ts';
import type { Usage } from './usage.ts';

/** A search of the web that the upstream runs beside the model. What an adapter cannot limit it refuses. */
export interface WebSearchTool {
  readonly kind: 'web_search';
  /** Domains of which alone pages may be cited, without a scheme: `example.com`. */
  readonly allowedDomains?: readonly string[];
  readonly blockedDomains?: readonly string[];
  /** Searches of one call at the most, by which the call is reserved for. */
  readonly usesMax?: number;
}

export type GenerationTool =
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly description?: string;
      /** JSON Schema of the arguments. */
      readonly parameters?: JsonObject;
      /** JSON Schema of what the function returns: a hint for the model, which an upstream without a place for it goes without. */
      readonly response?: JsonObject;
      readonly strict?: boolean;
    }
  | { readonly kind: 'code_execution' }
  | { readonly kind: 'url_context' }
  | WebSearchTool;

export type ToolChoice =
  | { readonly kind: 'auto' }
  | { readonly kind: 'none' }
  /** Some function must be called; where names are given, one of these. */
  | { readonly kind: 'required'; readonly names?: readonly string[] }
  /** Text or calls, and calls only as declared; where names are given, only these. */
  | { readonly kind: 'validated'; readonly names?: readonly string[] }
  | { readonly kind: 'function'; readonly name: string };

export type ResponseFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json_object' }
  | {
      readonly kind: 'json_schema';
      readonly name: string;
      readonly schema: JsonObject;
      readonly strict?: boolean;
      readonly description?: string;
    };

/** What is left out is the model's own choice. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly stopSequences?: readonly string[];
  readonly parallelToolCalls?: boolean;
  /** From -2 to 2; above 0, words are less likely the more often they came. */
  readonly frequencyPenalty?: number;
  /** From -2 to 2; above 0, words that came are less likely. */
  readonly presencePenalty?: number;
}

/** How much a model may reason before it answers. */
export interface Thinking {
  readonly includeThoughts?: boolean;
  /** Tokens; 0 is none, -1 leaves it to the model. */
  readonly budgetTokens?: number;
  readonly level?: 'minimal' | 'low' | 'medium' | 'high';
}

export type Speech =
  | { readonly kind: 'one_voice'; readonly voice: string; readonly language?: string }
  | {
      readonly kind: 'several_voices';
      /** Two speakers as the text names them. */
      readonly speakers: readonly { readonly speaker: string; readonly voice: string }[];
      readonly language?: string;
    };

/** `pcm` is samples of 16 bits and one channel at 24 kHz, without a container; the gateway makes it of `wav`, and `wav` of it. */
export type AudioFormat = 'mp3' | 'opus' | 'aac' | 'flac' | 'wav' | 'pcm';

/**
 * How audio is written down. The instruction of the call says the same in words, for models that do more than this; an upstream
 * with a wire of its own for it takes these, and leaves the instruction out.
 */
export interface Transcription {
  /** The language that is spoken, as in `en`. */
  readonly language?: string;
  /** What tells of the context of the audio: names, spelling, style. */
  readonly prompt?: string;
  /** Whether it is written in English, whatever is spoken. */
  readonly translate?: true;
}

/** What may come out: text alone unless it is said. */
export type Modality = 'text' | 'image' | 'audio';

export interface SafetySetting {
  /** As the contract spells it: `HARM_CATEGORY_HARASSMENT`. */
  readonly category: string;
  /** As the contract spells it: `BLOCK_ONLY_HIGH`. */
  readonly threshold: string;
}

/** One generation, whatever route asked for it and whatever upstream responds to it. */
export interface GenerationCall {
  /** The operation's id, so that an upstream that takes ids can be asked about it later. */
  readonly operationId: string;
  /** The upstream's name of the model. */
  readonly upstreamModel: string;
  readonly systemInstruction: string | null;
  readonly contents: readonly Content[];
  readonly tools: readonly GenerationTool[];
  readonly toolChoice: ToolChoice;
  readonly responseFormat: ResponseFormat;
  readonly sampling: Sampling;
  /** Output is capped here, thoughts included, so that the reservation covers it. */
  readonly outputTokensMax: number;
  /** The client's own name of its end user, where it sent one and the host allows it. */
  readonly endUser?: string;
  readonly thinking?: Thinking;
  readonly modalities?: readonly Modality[];
  /** For images that are generated. */
  readonly image?: ImageSettings;
  readonly speech?: Speech;
  /** The form in which audio must come; an upstream that cannot give it refuses the call. */
  readonly audioFormat?: AudioFormat;
  /** Present where the one audio part of the contents is to be written down. */
  readonly transcription?: Transcription;
  /** How closely media of the input are examined. */
  readonly mediaResolution?: 'low' | 'medium' | 'high';
  readonly safety?: readonly SafetySetting[];
  /** Context that the upstream keeps, which comes before the contents; what it is worth in tokens bounds the estimate. */
  readonly cached?: { readonly reference: string; readonly tokens: number };
  /** What may be kept of what comes before the contents; parts carry such hints themselves. */
  readonly promptCache?: { readonly system?: CacheMark | undefined; readonly tools?: CacheMark | undefined };
  /** How it is to be served; `standard` is that and nothing else, and left out it is the upstream's own choice. */
  readonly serviceTier?: ServiceTier;
}

/** `stop` is complete, `length` partial, `content_filter` refused by the model or its upstream. */
export type FinishReason = 'stop' | 'length' | 'content_filter';

/** How a generation ended and what it used. */
export interface GenerationEnd {
  readonly finish: FinishReason;
  /** An empty list means that nothing was measured, and makes the operation uncertain. */
  readonly usage: readonly Usage[];
  /** A finer reason in the contract's spelling, such as `RECITATION`, where the upstream gave one. */
  readonly finishDetail?: string;
  /** Why the prompt itself was refused, in the contract's spelling, such as `SAFETY`; there is no answer then. */
  readonly promptBlock?: string;
  /**
   * Members of the candidate that the contract passes on as they are (`safetyRatings`, `citationMetadata`,
   * `groundingMetadata`, `urlContextMetadata`, `finishMessage`), free of upstream names.
   */
  readonly annotations?: JsonObject;
  /** How the upstream says that it served the call; what it does not say is left out. */
  readonly servedTier?: ServiceTier | undefined;
}

/** A finished generation. */
export interface Generation extends GenerationEnd {
  /** The visible answer only; thoughts and raw tool output are left out. */
  readonly text: string;
  readonly functionCalls: readonly FunctionCallPart[];
  /** The whole answer in order. May be left out where it is the text followed by the calls. */
  readonly parts?: readonly Part[];
}

/** The whole answer of a generation, in order. */
export const generationParts = (generation: Generation): readonly Part[] => {
  if (generation.parts !== undefined) return generation.parts;
  const text: readonly Part[] = generation.text === '' ? [] : [{ kind: 'text', text: generation.text }];
  return [...text, ...generation.functionCalls];
};
