import type { CacheMark, GenerationCall, JsonObject } from '@tollgate/provider';
import type { WireMessage } from './wire-message.ts';

/**
 * What of a prompt the upstream is asked to keep. `off`: nothing. `asked`: what the client marks. `automatic`: that, and of a call
 * without a mark its tools, its system text and all turns so far.
 */
export const cachePromptsWays = ['off', 'asked', 'automatic'] as const;
export type CachePrompts = (typeof cachePromptsWays)[number];

/** Up to so many seconds the upstream keeps it for minutes, and beyond for an hour. */
const minutesSecondsMax = 300;

/** The member of a block that is kept up to its end. */
export const toCacheControl = (mark: CacheMark | undefined): JsonObject | undefined => {
  if (mark === undefined) return undefined;
  return mark.ttlSeconds > minutesSecondsMax ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' };
};

const hasMarks = ({ contents, promptCache }: GenerationCall): boolean =>
  promptCache !== undefined || contents.some(({ parts }) => parts.some((part) => part.cache !== undefined));

const automaticMark: CacheMark = { ttlSeconds: minutesSecondsMax };

/** The parts of a prompt that its marks are written into. */
export interface Prompt {
  readonly system: string | undefined;
  readonly tools: readonly JsonObject[];
  readonly messages: readonly WireMessage[];
}

/** Where a prompt is marked beside its parts. */
interface PromptMarks {
  readonly system: JsonObject | undefined;
  readonly tools: JsonObject | undefined;
  readonly end: JsonObject | undefined;
}

const marksOf = (call: GenerationCall, way: CachePrompts): PromptMarks => {
  const automatic = way === 'automatic' && !hasMarks(call) ? toCacheControl(automaticMark) : undefined;
  if (automatic !== undefined) return { system: automatic, tools: automatic, end: automatic };
  const { system, tools } = way === 'off' ? {} : (call.promptCache ?? {});
  return { system: toCacheControl(system), tools: toCacheControl(tools), end: undefined };
};

/** Writes the marks of a prompt beside its parts, each on the last block that it covers. */
export const markPrompt = (call: GenerationCall, way: CachePrompts, prompt: Prompt): JsonObject => {
  const marks = marksOf(call, way);
  const system =
    prompt.system === undefined || marks.system === undefined
      ? prompt.system
      : [{ type: 'text', text: prompt.system, cache_control: marks.system }];
  return { system, tools: markLast(prompt.tools, marks.tools), messages: markEnd(prompt.messages, marks.end) };
};

const markLast = (blocks: readonly JsonObject[], mark: JsonObject | undefined): readonly JsonObject[] => {
  const last = blocks.at(-1);
  return last === undefined || mark === undefined ? blocks : [...blocks.slice(0, -1), { ...last, cache_control: mark }];
};

/** The last turn of a user, and so all that came before it. */
const markEnd = (messages: readonly WireMessage[], mark: JsonObject | undefined): readonly WireMessage[] => {
  const place = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, index) =>
    index === place ? { ...message, content: markLast(message.content, mark) } : message,
  );
};
