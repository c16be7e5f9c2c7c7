import {
  asObject,
  asText,
  type CodeExecutionResultPart,
  type ModelPart,
  type Part,
  type UntrustedObject,
} from '@tollgate/provider';

/**
 * Reads one part of an answer. Undefined for a part that says nothing and for kinds that the contract does not know. The
 * signature is kept character by character, because the upstream compares it.
 */
export const fromGooglePart = (value: unknown, newCallId: () => string): Part | undefined => {
  const part = asObject(value);
  if (part === undefined) return undefined;
  return readText(part) ?? readMedia(part) ?? readCall(part, newCallId) ?? readCode(part) ?? readCodeResult(part);
};

const stateOf = (part: UntrustedObject): ModelPart => {
  const signature = asText(part['thoughtSignature']);
  return {
    // A signature is base64; what is no text could not be stored.
    ...(signature === undefined || !signature.isWellFormed() ? {} : { context: signature }),
    ...(part['thought'] === true ? { thought: true } : {}),
  };
};

/** A text without characters is kept where it carries a signature: streams end so. */
const readText = (part: UntrustedObject): Part | undefined => {
  const text = part['text'];
  if (typeof text !== 'string') return undefined;
  // Nearly every piece of a stream is this.
  if (text !== '' && part['thought'] === undefined && part['thoughtSignature'] === undefined)
    return { kind: 'text', text };
  const state = stateOf(part);
  if (text === '' && state.context === undefined) return undefined;
  return { kind: 'text', text, ...state };
};

const readMedia = (part: UntrustedObject): Part | undefined => {
  const inline = asObject(part['inlineData']);
  const data = asText(inline?.['data']);
  if (data === undefined) return undefined;
  return {
    kind: 'media',
    mimeType: asText(inline?.['mimeType']) ?? 'application/octet-stream',
    data,
    ...stateOf(part),
  };
};

/** Older models give their calls no ids, and a client must be able to answer each. */
const readCall = (part: UntrustedObject, newCallId: () => string): Part | undefined => {
  const call = asObject(part['functionCall']);
  const name = asText(call?.['name']);
  if (call === undefined || name === undefined) return undefined;
  return {
    kind: 'function_call',
    id: asText(call['id']) ?? newCallId(),
    name,
    arguments: JSON.stringify(asObject(call['args']) ?? {}),
    ...stateOf(part),
  };
};

const idOf = (value: UntrustedObject): { readonly id?: string } => {
  const id = asText(value['id']);
  return id === undefined ? {} : { id };
};

const readCode = (part: UntrustedObject): Part | undefined => {
  const code = asObject(part['executableCode']);
  if (code === undefined) return undefined;
  return {
    kind: 'executable_code',
    ...idOf(code),
    language: asText(code['language']) ?? 'PYTHON',
    code: asText(code['code']) ?? '',
    ...stateOf(part),
  };
};

const outcomes: Readonly<Record<string, CodeExecutionResultPart['outcome']>> = {
  OUTCOME_OK: 'ok',
  OUTCOME_DEADLINE_EXCEEDED: 'deadline_exceeded',
};

const readCodeResult = (part: UntrustedObject): Part | undefined => {
  const result = asObject(part['codeExecutionResult']);
  if (result === undefined) return undefined;
  return {
    kind: 'code_execution_result',
    ...idOf(result),
    outcome: outcomes[asText(result['outcome']) ?? ''] ?? 'failed',
    output: asText(result['output']) ?? '',
    ...stateOf(part),
  };
};
