import type {
  Content,
  EmbeddingCall,
  GenerationCall,
  ModerationCall,
  Part,
  ProjectFile,
  Provider,
} from '@tollgate/provider';
import { referenceFor } from './find-holder.ts';
import { isLeaf, leavesOf } from './leaves.ts';

type References = Readonly<Record<string, string>>;

/** The notes of a file by the names of the providers that hold a copy. A note of another form belongs to no member. */
const parseReferences = (reference: string | null): References => {
  if (reference === null) return {};
  try {
    const value: unknown = JSON.parse(reference);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
};

/** Whether a copy is noted by any provider that this one ends at. */
export const hasReference = (file: ProjectFile, provider: Provider): boolean => {
  const references = parseReferences(file.reference);
  return leavesOf(provider).some(({ name }) => Object.hasOwn(references, name));
};

/** The same file, whose note is always the last one kept, so that one provider does not forget what another noted before it. */
export const liveFile = (file: ProjectFile): ProjectFile => {
  let { reference } = file;
  return {
    ...file,
    get reference() {
      return reference;
    },
    keepReference: (kept) => {
      reference = kept;
      return file.keepReference(kept);
    },
  };
};

/** The file as a member may see it: a provider that makes upstream requests sees its own note, and keeps it beside the others. */
export const scopeFile = (file: ProjectFile, member: Provider): ProjectFile => {
  if (!isLeaf(member)) return file;
  const { name } = member;
  return {
    ...file,
    get reference() {
      const references = parseReferences(file.reference);
      return Object.hasOwn(references, name) ? (references[name] ?? null) : null;
    },
    keepReference: (kept) => file.keepReference(JSON.stringify({ ...parseReferences(file.reference), [name]: kept })),
  };
};

const hasFile = (part: Part): boolean => part.kind === 'blob' && part.file !== undefined;

type ChangeFile = (file: ProjectFile) => ProjectFile;

const changePart = (part: Part, change: ChangeFile): Part =>
  part.kind === 'blob' && part.file !== undefined ? { ...part, file: change(part.file) } : part;

const changeContents = (contents: readonly Content[], change: ChangeFile): readonly Content[] => {
  if (!contents.some(({ parts }) => parts.some(hasFile))) return contents;
  return contents.map((content) => ({ ...content, parts: content.parts.map((part) => changePart(part, change)) }));
};

const changeGeneration = (call: GenerationCall, change: ChangeFile): GenerationCall => {
  const contents = changeContents(call.contents, change);
  return contents === call.contents ? call : { ...call, contents };
};

const changeEmbedding = (call: EmbeddingCall, change: ChangeFile): EmbeddingCall => {
  if (call.input.kind !== 'content' || !call.input.parts.some(hasFile)) return call;
  return { ...call, input: { ...call.input, parts: call.input.parts.map((part) => changePart(part, change)) } };
};

/** The call with files whose notes are live; to be made once, before any member is asked. */
export const liveGeneration = (call: GenerationCall): GenerationCall => changeGeneration(call, liveFile);
export const liveEmbedding = (call: EmbeddingCall): EmbeddingCall => changeEmbedding(call, liveFile);

const changeModeration = (call: ModerationCall, change: ChangeFile): ModerationCall => ({
  ...call,
  inputs: call.inputs.map((parts) =>
    parts.map((part) =>
      part.kind === 'blob' && part.file !== undefined ? { ...part, file: change(part.file) } : part,
    ),
  ),
});

export const liveModeration = (call: ModerationCall): ModerationCall => changeModeration(call, liveFile);

export const scopeModeration = (call: ModerationCall, member: Provider): ModerationCall =>
  isLeaf(member) ? changeModeration(call, (file) => scopeFile(file, member)) : call;

export const liveContents = (contents: readonly Content[]): readonly Content[] => changeContents(contents, liveFile);

/** Turns as a provider that makes upstream requests may see them. */
export const scopeContents = (contents: readonly Content[], leaf: Provider): readonly Content[] =>
  changeContents(contents, (file) => scopeFile(file, leaf));

/** The call as a member may see it. */
export const scopeGeneration = (call: GenerationCall, member: Provider): GenerationCall => {
  if (!isLeaf(member)) return call;
  const scoped = changeGeneration(call, (file) => scopeFile(file, member));
  const reference = referenceFor(call.cached?.reference ?? null, member);
  // A provider that does not keep the context is not asked.
  return scoped.cached === undefined || reference === null
    ? scoped
    : { ...scoped, cached: { ...scoped.cached, reference } };
};

export const scopeEmbedding = (call: EmbeddingCall, member: Provider): EmbeddingCall =>
  isLeaf(member) ? changeEmbedding(call, (file) => scopeFile(file, member)) : call;
