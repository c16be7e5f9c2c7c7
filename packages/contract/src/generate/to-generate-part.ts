import type { z } from 'zod';
import { decodeBase64 } from '../media/base64.ts';
import { cameAs } from '../fields/came.ts';
import { fieldPath, safeName } from '../fields/field-path.ts';
import type { Path } from '../fields/field-fault.ts';
import { fileIdOfUri } from '../files/file-uri.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { partIssueError } from './generate-issue.ts';
import { compatParts, strictParts, type GenerateModifiers, type GeneratePart } from './generate-part.ts';
import { isDeeperThan } from '../json/json-depth.ts';
import { generateBounds } from '../limits.ts';
import type { MediaData } from '../media/lifted-data.ts';
import { isMediaOf } from '../media/media-data.ts';
import { mediaTypeError } from '../media/media-type-error.ts';
import { mediaTypes } from '../media/media-type.ts';
import { joinPartialArgs } from './partial-args.ts';
import { tooDeepError } from '../fields/refused-value.ts';
import { parseWithin } from '../http/parse-within.ts';

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
    throw unsupported(
      [...path, 'thoughtSignature'],
      'is not the text that was returned; accepted is that text, unchanged.',
    );
  return {
    ...(thought === true ? { thought } : {}),
    ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
  };
};

/** An empty text says something only where it carries what the model wants back. */
const toText = (part: Wire<'text'>, path: Path): GeneratePart => {
  if (part.text === '' && part.thoughtSignature === undefined)
    throw new GatewayError('empty_message', {
      detail: `The field ${fieldPath([...path, 'text'])} is empty; accepted is text.`,
    });
  return { kind: 'text', text: part.text, ...modifiersOf(part, path) };
};

/** Samples without a container, as models that speak return them; nothing in the bytes says what they are. */
const bareAudio = /^audio\/(?:l16|pcm)(?:;[\w=;. -]{0,128})?$/i;

const isBase64 = (data: MediaData): boolean => typeof data !== 'string' || data === '' || decodeBase64(data) !== null;

/** What the model itself returned is of types that no client may bring. */
const isReturnedAudio = ({ mimeType, data }: Wire<'inlineData'>['inlineData']): boolean =>
  bareAudio.test(mimeType) && isBase64(data);

const toMedia = (part: Wire<'inlineData'>, path: Path, isModel: boolean): GeneratePart => {
  const { mimeType, data } = part.inlineData;
  if (isModel && isReturnedAudio(part.inlineData)) return { kind: 'media', mimeType, data, ...modifiersOf(part, path) };
  const type = mediaTypes.get(mimeType.toLowerCase());
  if (type === undefined) throw mediaTypeError([...path, 'inlineData', 'mimeType'], mimeType);
  if (!isMediaOf(data, type)) {
    const detail = `The field ${fieldPath([...path, 'inlineData', 'data'])} is not a complete ${type.mimeType} file in base64; accepted is a whole file of the type that it declares.`;
    throw new GatewayError(type.mimeType.startsWith('image/') ? 'invalid_image' : 'unsupported_content', { detail });
  }
  return { kind: 'media', mimeType: type.mimeType, data, ...modifiersOf(part, path) };
};

const toFile = ({ fileData }: Wire<'fileData'>, path: Path): GeneratePart => {
  const fileId = fileIdOfUri(fileData.fileUri);
  const where: Path = [...path, 'fileData', 'fileUri'];
  if (fileId !== undefined)
    return { kind: 'file', fileId, ...(fileData.mimeType === undefined ? {} : { mimeType: fileData.mimeType }) };
  if (!fileData.fileUri.startsWith('files/'))
    throw unsupported(where, `${cameAs(fileData.fileUri, false)}; accepted is files/<file_id> of this project.`);
  // A name that is no uuid is answered like an unknown one [errors:path:unknown].
  throw new GatewayError('not_found', {
    detail: `The file of ${fieldPath(where)} was not found in this project.`,
  });
};

const checkDepth = (value: unknown, path: Path): void => {
  if (isDeeperThan(value, generateBounds.jsonDepthMax))
    throw tooDeepError('unsupported_content', path, generateBounds.jsonDepthMax);
};

const toFunctionCall = (part: Wire<'functionCall'>, path: Path): GeneratePart => {
  const { args: whole = {}, partialArgs = [], willContinue: _ended, ...call } = part.functionCall;
  checkDepth(whole, [...path, 'functionCall', 'args']);
  const args = joinPartialArgs(whole, partialArgs);
  if (args === null)
    throw unsupported(
      [...path, 'functionCall', 'partialArgs'],
      `${cameAs(partialArgs, false)} that makes no arguments; accepted are pieces of one object, each with one value and a jsonPath such as $.a.b[0] or $['a b'].`,
    );
  return { kind: 'function_call', ...call, args, ...modifiersOf(part, path) };
};

const toFunctionResponse = ({ functionResponse }: Wire<'functionResponse'>, path: Path): GeneratePart => {
  checkDepth(functionResponse.response, [...path, 'functionResponse', 'response']);
  return { kind: 'function_response', ...functionResponse };
};

const parsed = <K extends PartKind>(kind: K, part: unknown, path: Path, googleCompat: boolean): Wire<K> => {
  const schema = !googleCompat && isStrictKind(kind) ? strictParts[kind] : compatParts[kind];
  const result = parseWithin<unknown>(schema, part);
  // Sound: both tables hold under a kind what that kind is parsed to, the strict one a part of it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (result.success) return result.data as Wire<K>;
  const [issue] = result.issues;
  if (issue === undefined) throw new GatewayError('unsupported_content', { cause: result.cause });
  throw partIssueError(issue, { schema, input: part, base: path });
};

/** The one member by which a part is distinguished from others. */
const kindOf = (part: unknown, path: Path, googleCompat: boolean): PartKind => {
  if (typeof part !== 'object' || part === null || Array.isArray(part))
    throw unsupported(path, `${cameAs(part, false)}; accepted is an object.`);
  const names = Object.keys(part);
  const [kind, second] = names.filter(isPartKind);
  if (second !== undefined)
    throw unsupported(path, `holds both ${kind} and ${second}; accepted is one kind of content in a part.`);
  if (kind === undefined) {
    const [first] = names;
    const came = first === undefined ? 'is an empty object' : `is of no known kind (${safeName(first)})`;
    const known = Object.keys(googleCompat ? compatParts : strictParts).join(', ');
    throw unsupported(path, `${came}; accepted are the kinds ${known}.`);
  }
  if (!googleCompat && !isStrictKind(kind))
    throw unsupported(
      [...path, kind],
      `is not accepted in a request; accepted are ${Object.keys(strictParts).join(', ')}.`,
    );
  return kind;
};

/** How a part is read. */
export interface PartReading {
  readonly googleCompat: boolean;
  /** Whether the turn is the model's, which holds what models return. */
  readonly isModel: boolean;
}

// generate:part:kinds
/** Reads one part of a turn and checks its media. `path` is its place in the body. */
export const toGeneratePart = (part: unknown, path: Path, { googleCompat, isModel }: PartReading): GeneratePart => {
  const kind = kindOf(part, path, googleCompat);
  switch (kind) {
    case 'text':
      return toText(parsed(kind, part, path, googleCompat), path);
    case 'inlineData':
      return toMedia(parsed(kind, part, path, googleCompat), path, isModel);
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
