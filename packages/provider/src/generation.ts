import type { Content, FunctionCallPart } from './content.ts';
import type { Usage } from './usage.ts';

/** A JSON object as clients and upstreams send it. */
export type JsonObject = { readonly [key: string]: unknown };

export type GenerationTool =
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly description?: string;
      readonly parameters?: JsonObject;
      readonly strict?: boolean;
    }
  | { readonly kind: 'code_execution' }
  | { readonly kind: 'url_context' };

export type ToolChoice =
  | { readonly kind: 'auto' }
  | { readonly kind: 'none' }
  | { readonly kind: 'required' }
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

export interface Sampling {
  readonly temperature: number;
  readonly topP?: number;
  readonly seed?: number;
  readonly stopSequences?: readonly string[];
  readonly parallelToolCalls?: boolean;
}

/** One generation, whatever route asked for it and whatever upstream answers it. */
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
}

/** `stop` is complete, `length` partial, `content_filter` refused by the model or its upstream. */
export type FinishReason = 'stop' | 'length' | 'content_filter';

/** A finished generation. Text is the visible answer only; thoughts and raw tool output are left out. */
export interface Generation {
  readonly text: string;
  readonly functionCalls: readonly FunctionCallPart[];
  readonly finish: FinishReason;
  /** An empty list means that nothing was measured, and makes the operation uncertain. */
  readonly usage: readonly Usage[];
}
