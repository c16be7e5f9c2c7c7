import { isRecord, type JsonRecord } from '@tollgate/contract';
import type { RunName } from '@tollgate/engine';
import type { FinishReason, Generation, JsonObject, MediaPart, Part } from '@tollgate/provider';
import { generationParts } from '@tollgate/provider';

/** Text as clients get it: its `context` is sealed. */
export type AnswerText = Extract<Part, { readonly kind: 'text' }>;

/** A call of a tool that ran beside the model, with its result. Programs have parts of their own. */
export interface ToolCallPart {
  readonly kind: 'tool_call';
  readonly tool: Exclude<RunName, 'code_execution'>;
  readonly id: string;
  /** In the contract's form for this tool, as is `result`, which is null where the provider kept it to itself. */
  readonly arguments: JsonObject;
  readonly result: unknown;
  readonly isError: boolean;
}

type PlainPart = Extract<Part, { readonly kind: 'function_call' | 'executable_code' | 'code_execution_result' }>;

/** Bytes that a model made; their `context` is sealed. Of dialects alone that keep media. */
export type AnswerMedia = Pick<MediaPart, 'kind' | 'mimeType' | 'data' | 'context'>;

/** A part of an answer as clients get it. */
export type AnswerPart = AnswerText | AnswerMedia | PlainPart | ToolCallPart;

/** What is stored of a generation, in no dialect's words. */
export interface KeptAnswer {
  readonly parts: readonly AnswerPart[];
  /** `cancelled` where a client ended it: what came until then is the answer. */
  readonly finish: FinishReason | 'cancelled';
  readonly echo: Readonly<Record<string, unknown>>;
}

type OwnPart = AnswerText | MediaPart | PlainPart;

/** Whether clients get a part of an answer. Images that a model made while it was thinking are none of it. */
export const isAnswerPart = (part: Part, media: boolean): part is OwnPart =>
  part.kind === 'text' ||
  part.kind === 'function_call' ||
  part.kind === 'executable_code' ||
  part.kind === 'code_execution_result' ||
  (media && part.kind === 'media' && part.thought !== true);

/** Seals the state of an upstream: the same text for the same state, or null if the state is too long. */
export type SealState = (context: string) => string | null;

/**
 * The parts that a client is sent, with their states sealed. The state of a call is kept by the service, under the id of the call:
 * clients have no place for it.
 */
export const toAnswerParts = (
  parts: readonly Part[],
  { seal, media }: AnswerForm,
): readonly (AnswerText | AnswerMedia | PlainPart)[] =>
  parts
    .filter((part) => isAnswerPart(part, media))
    .map((part) => {
      if (part.context === undefined) return part;
      const { context, ...bare } = part;
      const sealed = part.kind === 'text' || part.kind === 'media' ? seal(context) : null;
      return sealed === null ? bare : { ...bare, context: sealed };
    });

/** The media of an answer, in their order. */
export const mediaIn = ({ parts }: Pick<KeptAnswer, 'parts'>): readonly AnswerMedia[] =>
  parts.filter((part) => part.kind === 'media');

/** How the parts of an answer are kept and sent. */
export interface AnswerForm {
  readonly seal: SealState;
  /** Whether the responses of the dialect hold media. */
  readonly media: boolean;
}

/** What of an answer is kept beside its parts, and how they are. */
export interface Keeping extends AnswerForm {
  readonly echo: KeptAnswer['echo'];
}

// chat:response:content-filter
/** What was filtered is no answer to be acted on, whatever a provider leaves of it. */
export const keptAnswer = (generation: Generation, { echo, ...form }: Keeping): KeptAnswer => {
  const parts = generation.finish === 'content_filter' ? [] : generationParts(generation);
  return { parts: toAnswerParts(parts, form), finish: generation.finish, echo };
};

const opening = '{"dialect":';

/** The stored text of an answer. It begins with the name of its dialect. */
export const writeKept = (dialect: string, answer: KeptAnswer): string =>
  `${opening}${JSON.stringify(dialect)},${JSON.stringify(answer).slice(1)}`;

/** Whether a stored text is one of `writeKept`, and not an answer of a route of the contract. */
export const isKept = (body: string): boolean => body.startsWith(opening);

/** Whether a value read from a kept answer is one of its parts. */
export const isKeptPart = (value: unknown): value is AnswerPart => isRecord(value) && typeof value['kind'] === 'string';

const finishOf = (value: unknown): FinishReason => (value === 'length' || value === 'content_filter' ? value : 'stop');

const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** Reads what `writeKept` wrote. */
export const readKept = (body: string): { readonly dialect: string; readonly answer: KeptAnswer } => {
  const kept = recordOf(JSON.parse(body));
  const parts: readonly unknown[] = Array.isArray(kept['parts']) ? kept['parts'] : [];
  return {
    dialect: String(kept['dialect']),
    answer: {
      parts: parts.filter(isKeptPart),
      finish: finishOf(kept['finish']),
      echo: recordOf(kept['echo']),
    },
  };
};
