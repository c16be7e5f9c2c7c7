import {
  asObject,
  parseClientJson,
  type BlobPart,
  type Content,
  type FunctionCallPart,
  type JsonObject,
  type ModelPart,
  type Part,
} from '@tollgate/provider';
import type { ModelTraits } from './model-traits.ts';
import { signatureOf } from './signature.ts';

/** A part as it goes on the wire: JSON, or bytes that are read while the request is sent. */
export type WirePart =
  | { readonly kind: 'json'; readonly value: JsonObject }
  | { readonly kind: 'blob'; readonly blob: BlobPart };

export interface WireContent {
  readonly role: 'user' | 'model';
  readonly parts: readonly WirePart[];
}

/** The upstream's address of a blob that was given to it before; undefined for one that goes inside the request. */
export type UriOf = (blob: BlobPart) => string | undefined;

/** What the upstream takes for the signature of a call whose own is lost. */
export const missingSignature = 'skip_thought_signature_validator';

/** Writes turns in order; one of which nothing is left to say is left out. */
export const toGoogleContents = (
  contents: readonly Content[],
  traits: ModelTraits,
  uriOf: UriOf,
): readonly WireContent[] =>
  contents
    .map(({ role, parts }) => ({ role, parts: toParts(parts, traits, uriOf) }))
    .filter(({ parts }) => parts.length > 0);

const toParts = (parts: readonly Part[], traits: ModelTraits, uriOf: UriOf): readonly WirePart[] => {
  // One signature stands for all calls that a model proposed together; it is on the first.
  let signed = false;
  return parts.flatMap((part): readonly WirePart[] => {
    if (part.kind === 'blob') return [toBlob(part, uriOf(part))];
    if (part.kind === 'text' && part.text === '' && signatureOf(part.context) === undefined) return [];
    if (part.kind !== 'function_call') return [{ kind: 'json', value: toJsonPart(part) }];
    signed ||= signatureOf(part.context) !== undefined;
    const placeholder = traits.signedCalls && !signed ? { thoughtSignature: missingSignature } : {};
    return [{ kind: 'json', value: { ...toCall(part), ...placeholder } }];
  });
};

const toBlob = (blob: BlobPart, uri: string | undefined): WirePart =>
  uri === undefined
    ? { kind: 'blob', blob }
    : { kind: 'json', value: { fileData: { mimeType: blob.mimeType, fileUri: uri }, ...toState(blob) } };

/** What a part carries beside its content. */
export const toState = ({ context, thought }: ModelPart): JsonObject => {
  const thoughtSignature = signatureOf(context);
  return {
    ...(thought === true ? { thought } : {}),
    thoughtSignature,
  };
};

const idOf = (id: string | undefined): JsonObject => (id === undefined ? {} : { id });

const outcomes = {
  ok: 'OUTCOME_OK',
  failed: 'OUTCOME_FAILED',
  deadline_exceeded: 'OUTCOME_DEADLINE_EXCEEDED',
} as const;

const toJsonPart = (part: Exclude<Part, BlobPart | FunctionCallPart>): JsonObject => {
  switch (part.kind) {
    case 'text':
      return { text: part.text, ...toState(part) };
    case 'media':
      return { inlineData: { mimeType: part.mimeType, data: part.data }, ...toState(part) };
    case 'function_response':
      return { functionResponse: { id: part.id, name: part.name, response: toResponse(part.response) } };
    case 'executable_code':
      return { executableCode: { ...idOf(part.id), language: part.language, code: part.code }, ...toState(part) };
    case 'code_execution_result':
      return {
        codeExecutionResult: { ...idOf(part.id), outcome: outcomes[part.outcome], output: part.output },
        ...toState(part),
      };
  }
};

const toCall = (call: FunctionCallPart): JsonObject => ({
  functionCall: { id: call.id, name: call.name, args: readArguments(call.arguments) ?? {} },
  ...toState(call),
});

/** The arguments of a call, which must be an object; none are an empty one. Undefined where they are something else. */
export const readArguments = (text: string): JsonObject | undefined =>
  text.trim() === '' ? {} : asObject(parseClientJson(text));

/** The upstream takes an object only, and gives `$ref` in it a meaning of its own. */
const toResponse = (text: string): JsonObject => {
  const value = asObject(parseClientJson(text));
  // Looked for as it will be written: in the client's text its characters may be escaped.
  return value === undefined || JSON.stringify(value).includes('"$ref"') ? { result: text } : value;
};
