import {
  fieldPath,
  GatewayError,
  isMediaOf,
  isUuid,
  type MediaData,
  type MediaType,
  type Path,
} from '@tollgate/contract';
import type { Content, FunctionCallPart, Part } from '@tollgate/provider';
import { mediaPart } from '../../media-json/media-part.ts';
import type { CallParts, ReadingPolicy } from './generation-dialect.ts';

/** A part of a turn, of which some need what the body does not hold. */
export type OpenPart = (parts: CallParts) => Part;

export interface OpenTurn {
  readonly role: Content['role'];
  readonly parts: readonly OpenPart[];
}

/** A conversation as far as its body tells it. */
export interface OpenConversation {
  readonly turns: readonly OpenTurn[];
  /** Texts of the system, in order. */
  readonly instructions: readonly string[];
  readonly fileIds: readonly string[];
  readonly callIds: readonly string[];
}

export const ready =
  (part: Part): OpenPart =>
  () =>
    part;

/** An empty text says nothing. */
export const textPart = (text: string): readonly OpenPart[] => (text === '' ? [] : [ready({ kind: 'text', text })]);

/** A call of an earlier turn, with the state that the service kept of it. */
const callPart =
  (call: FunctionCallPart): OpenPart =>
  ({ contexts }) => {
    const context = contexts.get(call.id);
    return context === undefined ? call : { ...call, context };
  };

const filePart =
  (fileId: string): OpenPart =>
  ({ files }) => {
    const file = files.get(fileId);
    if (file === undefined) throw new GatewayError('not_found', { detail: 'There is no such file in this project.' });
    return file;
  };

/** Inline media of a known type, checked. */
export const inlineMedia = (type: MediaType, data: MediaData, path: Path): OpenPart => {
  if (isMediaOf(data, type)) return ready(mediaPart(type.mimeType, data));
  throw new GatewayError(type.mimeType.startsWith('image/') ? 'invalid_image' : 'unsupported_content', {
    detail: `The field ${fieldPath(path)} is not a complete ${type.mimeType} file in base64; accepted is a whole file of the type that it declares.`,
  });
};

/** What a conversation refers to, while it is read from its beginning. */
export interface References {
  /** A file of the project, by its id. */
  readonly file: (id: string, path: Path) => OpenPart;
  /** A call that a model proposed. */
  readonly call: (id: string, name: string, text: string) => OpenPart;
  /** The result of a call that came before. */
  readonly result: (id: string, response: string, path: Path) => OpenPart;
}

/** What reading an entry of a conversation needs beside the entry. */
export interface Reading extends Pick<ReadingPolicy, 'unseal'> {
  readonly references: References;
}

export const unsupportedContent = (path: Path, why: string): GatewayError =>
  new GatewayError('unsupported_content', { detail: `The field ${fieldPath(path)} ${why}` });

/** A thought goes back to the model that had it; one that this service did not seal is another model's, and is left out. */
export const thoughtPart = (text: string, sealed: string, { unseal }: Reading): readonly OpenPart[] => {
  const context = sealed === '' ? null : unseal(sealed);
  return context === null ? [] : [ready({ kind: 'text', text, thought: true, context })];
};

/** What a conversation has referred to so far. */
interface Referred {
  readonly fileIds: string[];
  /** Names of the functions that were called, by the id of the call. */
  readonly called: Map<string, string>;
}

const referencesOf = ({ fileIds, called }: Referred): References => ({
  file: (id, path) => {
    if (!isUuid(id))
      throw new GatewayError('not_found', { detail: `The file of ${fieldPath(path)} was not found in this project.` });
    fileIds.push(id);
    return filePart(id);
  },
  call: (id, name, text) => {
    called.set(id, name);
    return callPart({ kind: 'function_call', id, name, arguments: text });
  },
  result: (id, response, path) => {
    const name = called.get(id);
    if (name === undefined)
      throw new GatewayError('invalid_messages', {
        detail: `The field ${fieldPath(path)} names a call that nothing before it has; accepted are results of calls of this conversation.`,
      });
    return ready({ kind: 'function_response', id, name, response });
  },
});

/** Gathers the turns of a conversation. Entries of one role that follow each other are one turn; one that says nothing is none. */
export const createConversation = () => {
  const turns: { readonly role: Content['role']; readonly parts: OpenPart[] }[] = [];
  const instructions: string[] = [];
  const referred: Referred = { fileIds: [], called: new Map() };
  return {
    references: referencesOf(referred),
    instruct: (text: string): void => {
      if (text !== '') instructions.push(text);
    },
    say: (role: Content['role'], parts: readonly OpenPart[]): void => {
      const last = turns.at(-1);
      if (last?.role === role) last.parts.push(...parts);
      else if (parts.length > 0) turns.push({ role, parts: [...parts] });
    },
    /** The whole conversation. Throws where it says nothing; `field` holds it. */
    end: (field: string): OpenConversation => {
      if (turns.length === 0)
        throw new GatewayError('missing_user_message', {
          detail: `The field ${field} holds nothing that says something; accepted is one entry with text at the least.`,
        });
      return { turns, instructions, fileIds: referred.fileIds, callIds: [...referred.called.keys()] };
    },
  };
};

/** The turns of a call. */
export const closeTurns = ({ turns }: OpenConversation, parts: CallParts): readonly Content[] =>
  turns.map(({ role, parts: open }) => ({ role, parts: open.map((part) => part(parts)) }));

/** All texts of an instruction as one; null where there is none. */
export const joinInstructions = (texts: readonly string[]): string | null =>
  texts.length === 0 ? null : texts.join('\n\n');
