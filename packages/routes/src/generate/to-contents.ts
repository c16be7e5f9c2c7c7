import { GatewayError, type GenerateContent, type GenerateModifiers, type GeneratePart } from '@tollgate/contract';
import type { BlobPart, Content, ModelPart, Part } from '@tollgate/provider';
import { mediaPart } from '../media-json/media-part.ts';

/** Files of the project that the call names, by id. */
export type NamedFiles = ReadonlyMap<string, BlobPart>;

const modelPart = ({ thought, thoughtSignature }: GenerateModifiers): ModelPart => ({
  ...(thought === undefined ? {} : { thought }),
  ...(thoughtSignature === undefined ? {} : { context: thoughtSignature }),
});

const toMedia = (part: Extract<GeneratePart, { kind: 'media' }>): Part => ({
  ...mediaPart(part.mimeType, part.data),
  ...modelPart(part),
});

const toFile = ({ fileId, mimeType }: Extract<GeneratePart, { kind: 'file' }>, files: NamedFiles): Part => {
  const file = files.get(fileId);
  if (file === undefined) throw new GatewayError('not_found', { detail: 'There is no such file in this project.' });
  if (mimeType !== undefined && mimeType.toLowerCase() !== file.mimeType)
    throw new GatewayError('unsupported_content', {
      detail: `The field fileData.mimeType is another type than the file has; accepted is ${file.mimeType}, or none.`,
    });
  return file;
};

interface OpenCall {
  readonly id: string;
  readonly name: string;
  /** Whether the client wrote the id, or it follows from the place. */
  readonly isNamed: boolean;
  answered: boolean;
}

/** The calls proposed so far, by which responses without an id find theirs: the oldest of that name that has no answer yet. */
const createCalls = () => {
  const calls: OpenCall[] = [];
  const ofName = (name: string, among: readonly OpenCall[]): OpenCall | undefined =>
    among.find((call) => call.name === name && !call.answered) ?? among.findLast((call) => call.name === name);
  const find = (id: string | undefined, name: string): OpenCall | undefined => {
    if (id === undefined) return ofName(name, calls);
    // Clients that drop the id of a call still answer with one.
    return (
      calls.find((call) => call.id === id) ??
      ofName(
        name,
        calls.filter(({ isNamed }) => !isNamed),
      )
    );
  };
  return {
    propose: (id: string | undefined, name: string, place: string): string => {
      const call = { id: id ?? `call-${place}`, name, isNamed: id !== undefined, answered: false };
      calls.push(call);
      return call.id;
    },
    answer: (id: string | undefined, name: string): string | null => {
      const call = find(id, name);
      if (call === undefined) return null;
      call.answered = true;
      return call.id;
    },
  };
};

const codeOutcomes = {
  OUTCOME_OK: 'ok',
  OUTCOME_FAILED: 'failed',
  OUTCOME_DEADLINE_EXCEEDED: 'deadline_exceeded',
} as const;

type Calls = ReturnType<typeof createCalls>;

/** Calls without an id get one by their place, so that the same body always makes the same call. */
const toCall = (part: Extract<GeneratePart, { kind: 'function_call' }>, place: string, calls: Calls): Part => {
  const { name, args } = part;
  const id = calls.propose(part.id, name, place);
  return { kind: 'function_call', id, name, arguments: JSON.stringify(args), ...modelPart(part) };
};

const toResponse = (part: Extract<GeneratePart, { kind: 'function_response' }>, place: string, calls: Calls): Part => {
  const { name, response } = part;
  const id = calls.answer(part.id, name);
  if (id === null)
    throw new GatewayError('invalid_request', {
      detail: `The functionResponse of part ${place} answers no functionCall of an earlier turn; accepted are responses to calls that were made.`,
    });
  return { kind: 'function_response', id, name, response: JSON.stringify(response) };
};

/** Clients send a streamed answer back event by event: it was one turn, and upstreams want all calls of a turn before the results. */
const joinModelTurns = (contents: readonly Content[]): readonly Content[] => {
  const joined: { readonly role: Content['role']; readonly parts: Part[] }[] = [];
  for (const { role, parts } of contents) {
    const last = joined.at(-1);
    if (role === 'model' && last?.role === 'model') last.parts.push(...parts);
    else joined.push({ role, parts: [...parts] });
  }
  return joined;
};

/** Turns as a provider takes them. Refuses responses to calls that were never made, and files that are not there. */
export const toContents = (contents: readonly GenerateContent[], files: NamedFiles): readonly Content[] => {
  const calls = createCalls();
  const toPart = (part: GeneratePart, place: string): Part => {
    switch (part.kind) {
      case 'text':
        return { kind: 'text', text: part.text, ...modelPart(part) };
      case 'media':
        return toMedia(part);
      case 'file':
        return toFile(part, files);
      case 'function_call':
        return toCall(part, place, calls);
      case 'function_response':
        return toResponse(part, place, calls);
      case 'executable_code': {
        const { thought: _thought, thoughtSignature: _signature, ...code } = part;
        return { ...code, ...modelPart(part) };
      }
      case 'code_execution_result': {
        const { thought: _thought, thoughtSignature: _signature, ...result } = part;
        return { ...result, outcome: codeOutcomes[part.outcome], ...modelPart(part) };
      }
    }
  };
  return joinModelTurns(
    contents.map(({ role, parts }, turn) => ({
      role,
      parts: parts.map((part, index) => toPart(part, `${turn}-${index}`)),
    })),
  );
};
