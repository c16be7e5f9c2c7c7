import { GatewayError } from '@tollgate/contract';
import type { StoredContent, StoredStep } from '@tollgate/engine';
import type { BlobPart, Content, MediaPart, Part } from '@tollgate/provider';
import { present } from '../../present.ts';

const storedMedium = (part: MediaPart | BlobPart): Extract<StoredContent, { readonly kind: 'given' }>['media'] => {
  const { mimeType } = part;
  if (part.kind === 'media') return { kind: 'inline', mimeType, data: part.data };
  if (part.file !== undefined) return { kind: 'file', fileId: part.file.id };
  if (part.blobKey === undefined)
    throw new GatewayError('unsupported_content', { detail: 'A medium of the request cannot be kept for a worker.' });
  return { kind: 'blob', mimeType, sizeBytes: part.sizeBytes, blobKey: part.blobKey };
};

const toContent = (part: Extract<Part, { readonly kind: 'text' | 'media' | 'blob' }>): StoredContent =>
  part.kind === 'text'
    ? { kind: 'text', text: part.text, ...present('context', part.context) }
    : {
        kind: 'given',
        media: storedMedium(part),
        about: { ...present('filename', part.filename), ...present('detail', part.detail) },
      };

type SaidPart = Extract<Part, { readonly kind: 'text' | 'media' | 'blob' }>;
type StepPart = Exclude<Part, SaidPart>;

const isSaid = (part: Part): part is SaidPart =>
  part.kind === 'media' || part.kind === 'blob' || (part.kind === 'text' && part.thought !== true);

/** A part that is a step of its own. `lastCode` is the id of the program before it. */
const toStep = (part: StepPart | Extract<Part, { readonly kind: 'text' }>, lastCode: string): StoredStep => {
  switch (part.kind) {
    case 'text':
      return { kind: 'thought', ...present('summary', part.text || null), ...present('context', part.context) };
    case 'function_call': {
      const { thought: _thought, ...call } = part;
      return call;
    }
    case 'function_response':
      return { kind: 'function_result', callId: part.id, name: part.name, result: part.response };
    case 'executable_code': {
      const { code, language, context } = part;
      const told = { language: language.toLowerCase(), code };
      return {
        kind: 'tool_call',
        tool: 'code_execution',
        id: lastCode,
        arguments: told,
        ...present('context', context),
      };
    }
    case 'code_execution_result': {
      const isError = part.outcome === 'ok' ? null : true;
      const { output: result } = part;
      return { kind: 'tool_result', tool: 'code_execution', callId: lastCode, result, ...present('isError', isError) };
    }
  }
};

/** The turns of a conversation as the steps that an interaction begins with. */
export const toConversationSteps = (contents: readonly Content[]): readonly StoredStep[] => {
  const steps: StoredStep[] = [];
  let programs = 0;
  for (const { role, parts } of contents) {
    let said: StoredContent[] = [];
    const flush = (): void => {
      if (said.length > 0) steps.push({ kind: role === 'user' ? 'user_input' : 'model_output', content: said });
      said = [];
    };
    for (const part of parts) {
      if (isSaid(part)) {
        said.push(toContent(part));
        continue;
      }
      flush();
      if (part.kind === 'executable_code') programs += 1;
      steps.push(toStep(part, `code_${programs}`));
    }
    flush();
  }
  return steps;
};
