import { z } from 'zod';
import { cameAs } from '../../fields/came.ts';
import { faultSentence, toFault, type Path } from '../../fields/field-fault.ts';
import { fieldPath } from '../../fields/field-path.ts';
import { GatewayError } from '../../http/gateway-error.ts';
import { isDeeperThan } from '../../json/json-depth.ts';
import { isRecord, JsonRecord } from '../../json/json-record.ts';
import { MediaData } from '../../media/lifted-data.ts';
import { interactionBounds } from '../../limits.ts';
import { tooDeepError } from '../../fields/refused-value.ts';
import { toMediaValue, type MediaValue } from '../../media/media-value.ts';
import { parseWithin } from '../../http/parse-within.ts';

const { textFieldCharsMax, jsonDepthMax } = interactionBounds;

/** Kinds of media, by the types of file that each may be. */
const mediaKinds = {
  image: (mimeType: string) => mimeType.startsWith('image/'),
  audio: (mimeType: string) => mimeType.startsWith('audio/'),
  video: (mimeType: string) => mimeType.startsWith('video/'),
  document: (mimeType: string) => mimeType === 'application/pdf' || mimeType === 'text/plain',
} as const;
export type InteractionMediaKind = keyof typeof mediaKinds;

/** Whether a file of this type may stand where that kind of media is named. */
export const isOfMediaKind = (kind: InteractionMediaKind, mimeType: string): boolean => mediaKinds[kind](mimeType);

const TextItem = z.strictObject({ type: z.literal('text'), text: z.string() });
const MediaItem = z.strictObject({
  type: z.enum(['image', 'audio', 'video', 'document']),
  mime_type: z.string().exactOptional(),
  data: MediaData.exactOptional(),
  uri: z.string().max(textFieldCharsMax).exactOptional(),
});
const FunctionResultItem = z.strictObject({
  type: z.literal('function_result'),
  call_id: z.string().min(1).max(textFieldCharsMax),
  name: z.string().min(1).max(textFieldCharsMax).exactOptional(),
  result: z.union([z.string(), JsonRecord]),
  is_error: z.boolean().exactOptional(),
});
const itemSchemas = { text: TextItem, media: MediaItem, function_result: FunctionResultItem } as const;
type ItemKind = keyof typeof itemSchemas;
type Wire<K extends ItemKind> = z.infer<(typeof itemSchemas)[K]>;

/** The items of `input` for the description of the contract. */
export const InteractionInputItem = z.union([TextItem, MediaItem, FunctionResultItem]);

/** A checked item of `input`: media is of the type it names and complete, a file id is a bare uuid. */
export type InteractionItem =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'media'; readonly media: InteractionMediaKind; readonly value: MediaValue }
  | {
      readonly kind: 'function_result';
      readonly callId: string;
      readonly name?: string;
      readonly result: string | JsonRecord;
      readonly isError?: boolean;
    };

const refused = (code: 'unsupported_content' | 'empty_message', path: Path, why: string): GatewayError =>
  new GatewayError(code, { detail: `The field ${fieldPath(path)} ${why}` });

const parsed = <K extends ItemKind>(kind: K, item: unknown, path: Path): Wire<K> => {
  const result = parseWithin<unknown>(itemSchemas[kind], item);
  // Sound: the table holds under a kind what that kind is parsed to.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (result.success) return result.data as Wire<K>;
  const [issue] = result.issues;
  if (issue === undefined) throw new GatewayError('unsupported_content', { cause: result.cause });
  const judged = { schema: itemSchemas[kind], input: item, base: path };
  const fault = toFault(issue, judged);
  throw new GatewayError(fault.kind === 'unknown_field' ? 'unsupported_parameter' : 'unsupported_content', {
    detail: faultSentence(fault, judged),
  });
};

const toText = ({ text }: Wire<'text'>, path: Path): InteractionItem => {
  if (text === '') throw refused('empty_message', [...path, 'text'], 'is empty; accepted is text.');
  return { kind: 'text', text };
};

const toMedia = ({ type, ...value }: Wire<'media'>, path: Path): InteractionItem => {
  const checked = toMediaValue(value, path);
  if (checked.mimeType !== undefined && !isOfMediaKind(type, checked.mimeType))
    throw refused(
      'unsupported_content',
      [...path, 'mime_type'],
      `is ${checked.mimeType}; accepted is a type of ${type}.`,
    );
  return { kind: 'media', media: type, value: checked };
};

const toFunctionResult = (item: Wire<'function_result'>, path: Path): InteractionItem => {
  const { call_id: callId, name, result, is_error: isError } = item;
  if (typeof result !== 'string' && isDeeperThan(result, jsonDepthMax))
    throw tooDeepError('unsupported_content', [...path, 'result'], jsonDepthMax);
  return {
    kind: 'function_result',
    callId,
    result,
    ...(name === undefined ? {} : { name }),
    ...(isError === undefined ? {} : { isError }),
  };
};

const kindOf = (type: unknown, path: Path): ItemKind => {
  if (type === 'text' || type === 'function_result') return type;
  if (typeof type === 'string' && Object.hasOwn(mediaKinds, type)) return 'media';
  const kinds = ['text', ...Object.keys(mediaKinds), 'function_result'];
  throw refused('unsupported_content', [...path, 'type'], `${cameAs(type, true)}; accepted are ${kinds.join(', ')}.`);
};

// interactions:input:media-item
/** Reads one item of `input` and checks its media. `path` is its place in the body. */
export const toInteractionItem = (item: unknown, path: Path): InteractionItem => {
  if (!isRecord(item)) throw refused('unsupported_content', path, `${cameAs(item, false)}; accepted is an object.`);
  const kind = kindOf(item['type'], path);
  switch (kind) {
    case 'text':
      return toText(parsed(kind, item, path), path);
    case 'media':
      return toMedia(parsed(kind, item, path), path);
    case 'function_result':
      return toFunctionResult(parsed(kind, item, path), path);
  }
};
