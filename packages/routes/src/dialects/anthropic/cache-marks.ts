import { isRecord } from '@tollgate/contract';
import type { CacheMark, GenerationCall } from '@tollgate/provider';
import { present } from '../../present.ts';
import type { OpenConversation, OpenPart } from '../generation/open-turns.ts';

const ttlSecondsDefault = 300;
const ttlSecondsHour = 3_600;

/** The mark of a block; one in another form is no mark, for it changes nothing of an answer. */
const readCacheMark = (value: unknown): CacheMark | undefined => {
  if (!isRecord(value) || value['type'] !== 'ephemeral') return undefined;
  return { ttlSeconds: value['ttl'] === '1h' ? ttlSecondsHour : ttlSecondsDefault };
};

const markOf = (block: unknown): CacheMark | undefined =>
  isRecord(block) ? readCacheMark(block['cache_control']) : undefined;

/** The last mark of a list, up to which all of it may be kept. */
const lastMark = (blocks: unknown): CacheMark | undefined =>
  Array.isArray(blocks) ? blocks.map(markOf).findLast((mark) => mark !== undefined) : undefined;

/** The marks of what comes before the conversation; undefined where there are none. */
export const readPromptCache = (system: unknown, tools: unknown): GenerationCall['promptCache'] => {
  const marks = { ...present('system', lastMark(system)), ...present('tools', lastMark(tools)) };
  return Object.keys(marks).length === 0 ? undefined : marks;
};

/** The parts of a block, of which the last carries its mark. */
const withMark = (parts: readonly OpenPart[], mark: CacheMark | undefined): readonly OpenPart[] => {
  const last = parts.at(-1);
  if (last === undefined || mark === undefined) return parts;
  return [...parts.slice(0, -1), (given) => ({ ...last(given), cache: mark })];
};

/** The parts of a message, with the marks of its blocks. */
export const withBlockMark = (parts: readonly OpenPart[], block: unknown): readonly OpenPart[] =>
  withMark(parts, markOf(block));

/** A conversation whose end carries the mark of its whole body. */
export const withBodyMark = (conversation: OpenConversation, body: unknown): OpenConversation => {
  const mark = markOf(body);
  const last = conversation.turns.at(-1);
  if (mark === undefined || last === undefined) return conversation;
  const parts = withMark(last.parts, mark);
  return { ...conversation, turns: [...conversation.turns.slice(0, -1), { ...last, parts }] };
};
