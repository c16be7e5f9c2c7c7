import type { z } from 'zod';
import { fieldPath, safeName } from './field-path.ts';
import type { Path } from './field-fault.ts';
import { fileIdOfUri } from './file-uri.ts';
import { GatewayError } from './gateway-error.ts';
import { partIssueError } from './generate-issue.ts';
import { compatParts, strictParts, type GenerateModifiers, type GeneratePart } from './generate-part.ts';
import { isDeeperThan } from './json-depth.ts';
import { generateBounds } from './limits.ts';
import { isMediaOf } from './media-data.ts';
import { mediaTypes } from './media-type.ts';

type PartKind = keyof typeof compatParts;
type Wire<K extends PartKind> = z.infer<(typeof compatParts)[K]>;

const partKinds = new Set<string>(Object.keys(compatParts));
const isPartKind = (name: string): name is PartKind => partKinds.has(name);
const isStrictKind = (kind: PartKind): kind is keyof typeof strictParts => Object.hasOwn(strictParts, kind);

const unsupported = (path: Path, why: string): GatewayError =>
  new GatewayError('unsupported_content', { detail: `The field ${fieldPath(path)} ${why}` });

const modifiersOf = (part: { thought?: boolean; thoughtSignature?: string }, path: Path): GenerateModifiers => {
  const { thought, thoughtSignature } = part;
  // What a provider is handed back is stored and sent as UTF-8: half a character would come back as another.
  if (thoughtSignature?.isWellFormed() === false)
    throw unsupported([...path, 'thoughtSignature'], 'is not the text that was returned.');
  return {
    ...(thought === true ? { thought } : {}),
    ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
  };
};

/** An empty text says something only where it carries what the model wants back. */
const toText = (part: Wire<'text'>, path: Path): GeneratePart => {
  if (part.text === '' && part.thoughtSignature === undefined)
    throw new GatewayError('empty_message', { detail: `The field ${fieldPath([...path, 'text'])} is empty.` });
  return { kind: 'text', text: part.text, ...modifiersOf(part, path) };
};

const toMedia = (part: Wire<'inlineData'>, path: Path): GeneratePart => {
  const { mimeType, data } = part.inlineData;
  const type = mediaTypes.get(mimeType.toLowerCase());
  if (type === undefined) throw unsupported([...path, 'inlineData', 'mimeType'], 'is not an accepted media type.');
  if (!isMediaOf(data, type)) {
    const detail = `The field ${fieldPath([...path, 'inlineData', 'data'])} is not a complete base64 file of the type it declares.`;
    throw new GatewayError(type.mimeType.startsWith('image/') ? 'invalid_image' : 'unsupported_content', { detail });
  }
  return { kind: 'media', mimeType: type.mimeType, data, ...modifiersOf(part, path) };
};

const toFile = ({ fileData }: Wire<'fileData'>, path: Path): GeneratePart => {
  const fileId = fileIdOfUri(fileData.fileUri);
  const where: Path = [...path, 'fileData', 'fileUri'];
  if (fileId !== undefined)
    return { kind: 'file', fileId, ...(fileData.mimeType === undefined ? {} : { mimeType: fileData.mimeType }) };
  if (!fileData.fileUri.startsWith('files/')) throw unsupported(where, 'must be files/<file_id> of this project.');
  // A name that is no uuid is answered like an unknown one [errors:path:unknown].
  throw new GatewayError('not_found', {
    detail: `The file of ${fieldPath(where)} was not found in this project.`,
  });
};

const checkDepth = (value: unknown, path: Path): void => {
  if (isDeeperThan(value, generateBounds.jsonDepthMax)) throw unsupported(path, 'is nested too deeply.');
};

const toFunctionCall = (part: Wire<'functionCall'>, path: Path): GeneratePart => {
  const { args = {}, ...call } = part.functionCall;
  checkDepth(args, [...path, 'functionCall', 'args']);
  return { kind: 'function_call', ...call, args, ...modifiersOf(part, path) };
};

const toFunctionResponse = ({ functionResponse }: Wire<'functionResponse'>, path: Path): GeneratePart => {
  checkDepth(functionResponse.response, [...path, 'functionResponse', 'response']);
  return { kind: 'function_response', ...functionResponse };
};

const parsed = <K extends PartKind>(kind: K, part: unknown, path: Path, googleCompat: boolean): Wire<K> => {
  const schema = !googleCompat && isStrictKind(kind) ? strictParts[kind] : compatParts[kind];
  const result = schema.safeParse(part);
  // Sound: both tables hold under a kind what that kind is parsed to, the strict one a part of it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (result.success) return result.data as Wire<K>;
  const [issue] = result.error.issues;
  if (issue === undefined) throw new GatewayError('unsupported_content', { cause: result.error });
  throw partIssueError(issue, part, path);
};

/** The one member by which a part is told from others. */
const kindOf = (part: unknown, path: Path, googleCompat: boolean): PartKind => {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) throw unsupported(path, 'must be an object.');
  const names = Object.keys(part);
  const [kind, second] = names.filter(isPartKind);
  if (second !== undefined) throw unsupported(path, 'must hold one kind of content.');
  if (kind === undefined) {
    const [first] = names;
    throw unsupported(path, first === undefined ? 'is empty.' : `is of no known kind (${safeName(first)}).`);
  }
  if (!googleCompat && !isStrictKind(kind)) throw unsupported([...path, kind], 'is not accepted in a request.');
  return kind;
};

/** Reads one part of a turn and checks its media. `path` is its place in the body [generate:part:kinds]. */
export const toGeneratePart = (part: unknown, path: Path, googleCompat: boolean): GeneratePart => {
  const kind = kindOf(part, path, googleCompat);
  switch (kind) {
    case 'text':
      return toText(parsed(kind, part, path, googleCompat), path);
    case 'inlineData':
      return toMedia(parsed(kind, part, path, googleCompat), path);
    case 'fileData':
      return toFile(parsed(kind, part, path, googleCompat), path);
    case 'functionCall':
      return toFunctionCall(parsed(kind, part, path, googleCompat), path);
    case 'functionResponse':
      return toFunctionResponse(parsed(kind, part, path, googleCompat), path);
    case 'executableCode': {
      const code = parsed(kind, part, path, googleCompat);
      return { kind: 'executable_code', ...code.executableCode, ...modifiersOf(code, path) };
    }
    case 'codeExecutionResult': {
      const result = parsed(kind, part, path, googleCompat);
      return { kind: 'code_execution_result', ...result.codeExecutionResult, ...modifiersOf(result, path) };
    }
  }
};
