import type { z } from 'zod';
import { camelCaseBody } from './camel-case-body.ts';
import { checkGenerateFields } from './check-generate-fields.ts';
import { unknownFieldSentence, type Path } from '../fields/field-fault.ts';
import { fieldPath, valueAt } from '../fields/field-path.ts';
import { GatewayError } from '../http/gateway-error.ts';
import type { GenerationConfig } from './generate-config.ts';
import { generateIssueError } from './generate-issue.ts';
import type { GeneratePart } from './generate-part.ts';
import { CompatGenerateFields, StrictGenerateFields, type GenerateFields } from './generate-request-body.ts';
import type { GenerateToolConfig, GenerateTools, SafetySettings } from './generate-tool.ts';
import { isRecord, type JsonRecord } from '../json/json-record.ts';
import { generateBounds } from '../limits.ts';
import { listError, noObjectError, refusedValue } from '../fields/refused-value.ts';
import { toGeneratePart } from './to-generate-part.ts';
import { parseWithin } from '../http/parse-within.ts';

/** What a host tolerates beyond the contract; both are off by default. */
export interface GeneratePolicy {
  /** Accepts and honours what compatible client libraries send. */
  readonly googleCompat: boolean;
  /** Accepts fields in snake case as well. */
  readonly snakeCase: boolean;
}

/** A checked turn. */
export interface GenerateContent {
  readonly role: 'user' | 'model';
  readonly parts: readonly GeneratePart[];
}

/** A checked request of both generateContent routes. Settings keep their wire names. */
export interface GenerateRequest {
  readonly contents: readonly GenerateContent[];
  /** All parts of the instruction, in order; null where there is none. */
  readonly systemInstruction: readonly string[] | null;
  readonly config: GenerationConfig;
  readonly tools: GenerateTools;
  readonly toolConfig: GenerateToolConfig;
  readonly safetySettings: SafetySettings;
  /** What follows `caches/`, or null where the call uses no cache. */
  readonly cacheId: string | null;
  /** How it asks to be served; undefined where it does not say. */
  readonly serviceTier?: GenerateFields['serviceTier'] | undefined;
}

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

const strictNames = new Set(Object.keys(StrictGenerateFields.shape));
const compatNames = new Set(Object.keys(CompatGenerateFields.shape));

interface SplitBody {
  readonly contents: unknown;
  readonly systemInstruction: unknown;
  readonly fields: JsonRecord;
}

/** Parts what is checked piece by piece from the other fields; refuses the first field that the contract does not know. */
const splitBody = (body: unknown, googleCompat: boolean): SplitBody => {
  if (!isRecord(body)) throw noObjectError(body);
  const fieldNames = googleCompat ? compatNames : strictNames;
  const { contents, systemInstruction, ...fields } = body;
  for (const name of Object.keys(fields))
    if (!fieldNames.has(name))
      throw new GatewayError('unsupported_parameter', {
        detail: unknownFieldSentence([name], ['contents', 'systemInstruction', ...fieldNames]),
      });
  return { contents, systemInstruction, fields };
};

const listAt = (value: unknown, path: Path, entriesMax: number): readonly unknown[] => {
  if (!Array.isArray(value) || value.length === 0 || value.length > entriesMax)
    throw listError(path, value, [1, entriesMax]);
  return value;
};

/** The members of an object that may have these and no other. */
const membersAt = (value: unknown, path: Path, names: readonly string[]): JsonRecord => {
  if (!isRecord(value))
    throw refusedValue('invalid_request', {
      path,
      value,
      accepted: `is an object with the fields ${names.join(' and ')}`,
    });
  for (const name of Object.keys(value))
    if (!names.includes(name))
      throw new GatewayError('unsupported_parameter', {
        detail: unknownFieldSentence([...path, name], names),
      });
  return value;
};

/** What turns may leave out or call otherwise. */
export interface ContentsPolicy {
  readonly googleCompat: boolean;
  /** A turn without a role is the user's. */
  readonly roleMayMiss: boolean;
}

/** Clients of the compatibility option leave the role out, or name the turn that answers calls after functions. */
const roleOf = (role: unknown, path: Path, policy: ContentsPolicy): GenerateContent['role'] => {
  if (role === 'user' || role === 'model') return role;
  if (role === undefined && (policy.googleCompat || policy.roleMayMiss)) return 'user';
  if (role === 'function' && policy.googleCompat) return 'user';
  throw refusedValue('invalid_role', { path, value: role, accepted: 'are "user" and "model"', isWord: true });
};

/** A stream ends with an empty text beside its reason, and clients send back what they were sent: it says nothing. */
const isSilent = (part: unknown): boolean =>
  isRecord(part) && part['text'] === '' && Object.keys(part).every((name) => name === 'text' || name === 'thought');

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** One part at a time: the first fault ends the work, however many there are. Null for a turn of the model that says nothing. */
const parseContent = (value: unknown, index: number, policy: ContentsPolicy): GenerateContent | null => {
  const path: Path = ['contents', index];
  const content = membersAt(value, path, ['role', 'parts']);
  const role = roleOf(content['role'], [...path, 'role'], policy);
  const isModel = role === 'model';
  // A filtered answer has no parts, and is sent back as it came.
  if (isModel && isEmptyList(content['parts'])) return null;
  const parts = listAt(content['parts'], [...path, 'parts'], generateBounds.partsPerContentMax).flatMap((part, place) =>
    isModel && isSilent(part)
      ? []
      : toGeneratePart(part, [...path, 'parts', place], { googleCompat: policy.googleCompat, isModel }),
  );
  return parts.length === 0 ? null : { role, parts };
};

/** Reads the turns of a body that has them at `contents`. */
export const parseContents = (value: unknown, policy: ContentsPolicy): readonly GenerateContent[] => {
  const contents = listAt(value, ['contents'], generateBounds.contentsMax)
    .map((content, index) => parseContent(content, index, policy))
    .filter((content) => content !== null);
  if (contents.length === 0)
    throw new GatewayError('empty_message', {
      detail: 'The field contents says nothing; accepted is one turn at the least that says something.',
    });
  return contents;
};

/** Reads the instruction of a body that has it at `systemInstruction`: text only. */
export const parseInstruction = (value: unknown, googleCompat: boolean): readonly string[] | null => {
  if (value === undefined) return null;
  const path: Path = ['systemInstruction'];
  const instruction = membersAt(value, path, googleCompat ? ['role', 'parts'] : ['parts']);
  const role = instruction['role'];
  if (role !== undefined && role !== 'user' && role !== 'system')
    throw refusedValue('invalid_role', {
      path: [...path, 'role'],
      value: role,
      accepted: 'are "user" and "system"',
      isWord: true,
    });
  return listAt(instruction['parts'], [...path, 'parts'], generateBounds.partsPerContentMax).map((part, place) => {
    const where: Path = [...path, 'parts', place];
    const parsed = toGeneratePart(part, where, { googleCompat, isModel: false });
    if (parsed.kind === 'text' && parsed.thoughtSignature === undefined && parsed.thought === undefined)
      return parsed.text;
    throw new GatewayError('unsupported_content', {
      detail: `The field ${fieldPath(where)} is no plain text; accepted is text: an instruction holds nothing else.`,
    });
  });
};

/** Lists that a schema would look through entry by entry before it counts them. */
const countedLists: readonly (readonly [Path, number])[] = [
  [['tools'], generateBounds.toolsMax],
  [['safetySettings'], generateBounds.safetySettingsMax],
  [['generationConfig', 'stopSequences'], generateBounds.stopSequencesMax],
  [['generationConfig', 'responseModalities'], generateBounds.stopSequencesMax],
  [['generationConfig', 'speechConfig', 'multiSpeakerVoiceConfig', 'speakerVoiceConfigs'], generateBounds.speakersMax],
  [['toolConfig', 'functionCallingConfig', 'allowedFunctionNames'], generateBounds.declarationsMax],
];

/** Counts before the entries are checked, so that a very long list costs one fault and not one per entry. */
const checkLengths = (fields: unknown): void => {
  const count = (path: Path, entriesMax: number): void => {
    const list = valueAt(fields, path);
    if (Array.isArray(list) && list.length > entriesMax)
      throw refusedValue('invalid_request', {
        path,
        value: list,
        accepted: `is a list of at most ${entriesMax} entries`,
      });
  };
  for (const [path, entriesMax] of countedLists) count(path, entriesMax);
  const tools = valueAt(fields, ['tools']);
  if (Array.isArray(tools))
    for (const index of tools.keys()) count(['tools', index, 'functionDeclarations'], generateBounds.declarationsMax);
};

const parseFields = (fields: JsonRecord, googleCompat: boolean): GenerateFields => {
  checkLengths(fields);
  const schema: z.ZodType<GenerateFields> = googleCompat ? CompatGenerateFields : StrictGenerateFields;
  const result = parseWithin(schema, fields);
  if (!result.success) {
    const [issue] = result.issues;
    throw issue === undefined
      ? new GatewayError('invalid_request', { cause: result.cause })
      : generateIssueError(issue, fields, schema);
  }
  checkGenerateFields(result.data);
  return result.data;
};

const cachePrefix = 'caches/';
/** The name of a cache for compatible client libraries. */
const compatCachePrefix = 'cachedContents/';

/** What a cache was made with is not said again. */
const cacheIdOf = (body: SplitBody, googleCompat: boolean): string | null => {
  const { cachedContent } = body.fields;
  if (typeof cachedContent !== 'string') return null;
  const isCompat = googleCompat && cachedContent.startsWith(compatCachePrefix);
  const prefix = isCompat ? compatCachePrefix : cachePrefix;
  if (!cachedContent.startsWith(prefix))
    throw refusedValue('invalid_request', {
      path: ['cachedContent'],
      value: cachedContent,
      accepted: 'is caches/<cache_id>',
    });
  const beside = ['tools', 'toolConfig'].find((name) => body.fields[name] !== undefined);
  const repeated = body.systemInstruction === undefined ? beside : 'systemInstruction';
  if (repeated !== undefined)
    throw invalid(
      `The field ${repeated} cannot stand beside cachedContent, which was made with it; accepted is one of the two.`,
    );
  return cachedContent.slice(prefix.length);
};

/** Reads the parsed JSON body of a generateContent route. Throws nothing but a `GatewayError` with the documented code,
 * whose message names the field. Checked in this order: unknown fields, the contents in order, the other fields. */
export const parseGenerateRequest = (body: unknown, policy: GeneratePolicy): GenerateRequest => {
  const { googleCompat } = policy;
  const split = splitBody(policy.snakeCase ? camelCaseBody(body) : body, googleCompat);
  const contents = parseContents(split.contents, { googleCompat, roleMayMiss: false });
  const systemInstruction = parseInstruction(split.systemInstruction, googleCompat);
  const fields = parseFields(split.fields, googleCompat);
  return {
    contents,
    systemInstruction,
    config: fields.generationConfig ?? {},
    tools: fields.tools ?? [],
    toolConfig: fields.toolConfig ?? {},
    safetySettings: fields.safetySettings ?? [],
    cacheId: cacheIdOf(split, googleCompat),
    serviceTier: fields.serviceTier,
  };
};
