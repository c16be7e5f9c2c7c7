import type { BlobPart, MediaPart, TextPart } from './content.ts';
import type { GenerationTool, Sampling, Thinking } from './generation.ts';
import type { JsonObject } from './json-object.ts';
import type { Usage } from './usage.ts';

/** Tools that run beside the model: by the provider where it has them, by the gateway where it has not. */
export const toolNames = [
  'code_execution',
  'url_context',
  'web_search',
  'maps',
  'file_search',
  'mcp_server',
  'computer_use',
] as const;
export type ToolName = (typeof toolNames)[number];

/** Text as the model put it, with what it cites. */
export interface CitedText extends Pick<TextPart, 'kind' | 'text'> {
  /** In the contract's form: `url_citation`, `file_citation`, `place_citation`, `word_info`; indexes count within this text. */
  readonly annotations?: readonly JsonObject[] | undefined;
}

export type StepContent = CitedText | MediaPart | BlobPart;

/** One step of an interaction, in order. */
export type Step =
  | { readonly kind: 'user_input'; readonly content: readonly StepContent[] }
  | { readonly kind: 'model_output'; readonly content: readonly StepContent[] }
  | { readonly kind: 'thought'; readonly summary?: string; readonly context?: string }
  | {
      readonly kind: 'function_call';
      readonly id: string;
      readonly name: string;
      /** JSON text of an object. */
      readonly arguments: string;
      readonly context?: string;
    }
  | {
      readonly kind: 'function_result';
      readonly callId: string;
      readonly name?: string;
      /** Text, or a JSON value where the client sent one. */
      readonly result: unknown;
      readonly isError?: boolean;
    }
  | {
      readonly kind: 'tool_call';
      readonly tool: ToolName;
      readonly id: string;
      /** In the contract's form for this tool; for an MCP server with `name` and `server_name`. */
      readonly arguments: JsonObject;
      readonly context?: string;
    }
  | {
      readonly kind: 'tool_result';
      readonly tool: ToolName;
      readonly callId: string;
      /** In the contract's form for this tool. */
      readonly result: unknown;
      readonly isError?: boolean;
    };

export type InteractionTool =
  | GenerationTool
  | { readonly kind: 'maps'; readonly latitude?: number; readonly longitude?: number }
  | {
      readonly kind: 'file_search';
      readonly stores: readonly { readonly id: string; readonly reference: string | null }[];
    }
  | { readonly kind: 'computer_use'; readonly environment: 'browser' }
  | {
      readonly kind: 'mcp_server';
      readonly url: string;
      readonly name?: string;
      readonly allowedTools?: readonly string[];
      /** Secrets: never logged, never shown. */
      readonly headers?: Readonly<Record<string, string>>;
    };

/** What is to come out. */
export type InteractionFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json'; readonly schema?: JsonObject }
  | { readonly kind: 'image'; readonly aspectRatio?: string; readonly resolution?: string }
  | { readonly kind: 'audio' }
  | { readonly kind: 'video'; readonly aspectRatio?: string; readonly resolution?: string };

export interface TranscriptionConfig {
  readonly languageCodes?: readonly string[];
  readonly customVocabulary?: readonly string[];
  readonly mode?:
    | { readonly kind: 'smart' }
    | {
        readonly kind: 'verbatim';
        readonly diarization?: 'speaker';
        readonly timestampGranularities?: readonly string[];
      };
}

export interface AgentConfig {
  readonly collaborativePlanning?: boolean;
  readonly visualization?: 'off' | 'auto';
  readonly thinkingSummaries?: 'none' | 'auto';
}

export type VideoTask = 'text_to_video' | 'image_to_video' | 'reference_to_video' | 'edit' | 'extend';

/** One interaction, whatever upstream carries it out. */
export interface InteractionCall {
  readonly operationId: string;
  readonly upstreamModel: string;
  readonly upstreamKind: 'model' | 'agent';
  readonly input: readonly Step[];
  /** The steps of all interactions it continues, oldest first. */
  readonly history: readonly Step[];
  /** What the provider noted of the interaction it continues; null where that was another's, or none. */
  readonly previousReference: string | null;
  readonly systemInstruction: string | null;
  readonly tools: readonly InteractionTool[];
  readonly format: InteractionFormat;
  readonly sampling: Sampling;
  readonly thinking?: Thinking;
  readonly speech?: { readonly voice?: string; readonly language?: string };
  readonly transcription?: TranscriptionConfig;
  readonly videoTask?: VideoTask;
  readonly agent?: AgentConfig;
  /** What the provider noted of the environment, where it keeps environments. */
  readonly environmentReference?: string | undefined;
  readonly outputTokensMax: number;
}

/** How an interaction ended. */
export interface Interacted {
  readonly steps: readonly Step[];
  /** `requires_action`: the model waits for the results of the function calls among the steps. */
  readonly status: 'completed' | 'requires_action' | 'incomplete' | 'budget_exceeded' | 'cancelled';
  /** An empty list means that nothing was measured, and makes the operation uncertain. */
  readonly usage: readonly Usage[];
  /** By which the provider continues it; null where it keeps nothing. */
  readonly reference: string | null;
}
