import type { InteractionTool, JsonObject, MediaPart, Step } from '@tollgate/provider';
import type { AskedTool } from '../../tools/asked-tool.ts';
import type { RunName } from '../../tools/tool-runner.ts';
import type { StoredMedia } from '../stored-media.ts';

/** Text as it is kept: with what belongs to it alone, to be handed back to the provider that wrote it. */
export interface StoredText {
  readonly kind: 'text';
  readonly text: string;
  readonly annotations?: readonly JsonObject[] | undefined;
  readonly context?: string;
}

/** A medium that a model made: a blob, which the content route gives out under its index. */
export interface MadeMedium {
  readonly kind: 'made';
  readonly index: number;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly blobKey: string;
  readonly context?: string;
}

/** A medium that came with a request. */
export interface GivenMedium {
  readonly kind: 'given';
  readonly media: StoredMedia;
  /** What the request says of it. */
  readonly about?: Pick<MediaPart, 'filename' | 'detail'>;
}

export type StoredContent = StoredText | MadeMedium | GivenMedium;

/** How a model asked for a tool that the gateway runs: by a function. */
export interface CalledFunction {
  readonly name: string;
  /** JSON text, as the model wrote it. */
  readonly arguments: string;
}

type KeptStep = Extract<Step, { readonly kind: 'thought' | 'function_call' | 'function_result' }>;
type Run<S> = Omit<S, 'tool'> & { readonly tool: RunName };
type ToolCallStep = Run<Extract<Step, { readonly kind: 'tool_call' }>>;
type ToolResultStep = Run<Extract<Step, { readonly kind: 'tool_result' }>>;

/** A step as it is kept: JSON, with media by reference, and with what the gateway must know to go on. */
export type StoredStep =
  | { readonly kind: 'user_input'; readonly content: readonly StoredContent[] }
  | { readonly kind: 'model_output'; readonly content: readonly StoredContent[] }
  | KeptStep
  /** Without `called` the provider ran it. */
  | (ToolCallStep & { readonly called?: CalledFunction })
  | (ToolResultStep & { readonly told?: string });

type McpServer = Extract<InteractionTool, { readonly kind: 'mcp_server' }>;

/** A tool as it is kept: what only the server of it may see is sealed. */
export type StoredTool =
  | Exclude<AskedTool, McpServer>
  | (Omit<McpServer, 'headers'> & { readonly sealedHeaders?: string });

/** The media among steps. */
export const contentsOf = (steps: readonly StoredStep[]): readonly StoredContent[] =>
  steps.flatMap((step) => (step.kind === 'user_input' || step.kind === 'model_output' ? step.content : []));

export const madeMediaOf = (steps: readonly StoredStep[]): readonly MadeMedium[] =>
  contentsOf(steps).filter((content): content is MadeMedium => content.kind === 'made');

/** The calls of the client's functions that nothing has answered yet. */
export const pendingCallsOf = (
  steps: readonly StoredStep[],
): readonly Extract<StoredStep, { readonly kind: 'function_call' }>[] => {
  const answered = new Set(steps.flatMap((step) => (step.kind === 'function_result' ? [step.callId] : [])));
  return steps.filter((step) => step.kind === 'function_call').filter(({ id }) => !answered.has(id));
};
