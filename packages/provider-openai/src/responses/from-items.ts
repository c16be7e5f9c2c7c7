import {
  asArray,
  asObject,
  asText,
  UnknownOutcome,
  type FunctionCallPart,
  type Part,
  type TextPart,
  type UntrustedObject,
} from '@tollgate/provider';
import { writeReasoning, type ReasoningState } from './reasoning-state.ts';
import { readCitations } from './read-citations.ts';

export interface ReadingOptions {
  readonly includeThoughts: boolean;
  /** Makes the id of a call that the upstream left without one. */
  readonly newCallId: () => string;
}

/** What the output items of a response come to. */
export interface ReadItems {
  readonly parts: readonly Part[];
  readonly refused: boolean;
  readonly searches: number;
  readonly codeRuns: number;
}

interface Reading {
  readonly options: ReadingOptions;
  readonly parts: Part[];
  readonly states: ReasoningState[];
  readonly callIds: Set<string>;
  /** UTF-16 units of the visible text so far. */
  textChars: number;
  refused: boolean;
  searches: number;
  codeRuns: number;
}

const textsOf = (list: unknown): readonly string[] =>
  asArray(list).flatMap((each) => asText(asObject(each)?.['text']) ?? []);

/** Between two paragraphs of a summary. */
export const paragraphBreak = '\n\n';

/** What a reasoning item shows of itself: its summary, or what servers of open models show in place of one. */
const shownThought = (item: UntrustedObject): string => {
  const summary = textsOf(item['summary']).join(paragraphBreak);
  return summary === '' ? textsOf(item['content']).join('') : summary;
};

const takeReasoning = (reading: Reading, item: UntrustedObject): void => {
  const { options, parts, states } = reading;
  const text = options.includeThoughts ? shownThought(item) : '';
  const id = asText(item['id']);
  const sealed = asText(item['encrypted_content']);
  const state = id === undefined || sealed === undefined ? undefined : { id, sealed };
  if (state !== undefined) states.push(state);
  const context = state === undefined ? undefined : writeReasoning([state]);
  if (text !== '') parts.push({ kind: 'text', text, thought: true });
  // The state is a part of its own, which ends the thought, as it comes in a stream.
  if (context !== undefined) parts.push({ kind: 'text', text: '', thought: true, context });
};

const takeText = (reading: Reading, content: UntrustedObject): void => {
  const text = asText(content['text']) ?? '';
  const annotations = readCitations(content['annotations'], reading.textChars);
  reading.textChars += text.length;
  if (text === '' && annotations.length === 0) return;
  const part: TextPart = { kind: 'text', text };
  reading.parts.push(annotations.length === 0 ? part : { ...part, annotations });
};

const takeMessage = (reading: Reading, item: UntrustedObject): void => {
  for (const value of asArray(item['content'])) {
    const content = asObject(value) ?? {};
    if (content['type'] === 'refusal') reading.refused = true;
    else if (content['type'] === 'output_text') takeText(reading, content);
  }
};

const takeCall = (reading: Reading, item: UntrustedObject): void => {
  const { options, parts, states, callIds } = reading;
  const name = asText(item['name']);
  // A call without a name cannot be returned, and leaving it out would change the response.
  if (name === undefined) throw new UnknownOutcome('unreadable_answer');
  const given = asText(item['call_id']) ?? asText(item['id']);
  const id = given === undefined || callIds.has(given) ? options.newCallId() : given;
  callIds.add(id);
  const args = asText(item['arguments']) ?? '';
  // A call that was cut before its arguments was never made: it is not one without arguments.
  if (args.trim() === '' && item['status'] === 'incomplete') return;
  const call: FunctionCallPart = { kind: 'function_call', id, name, arguments: args.trim() === '' ? '{}' : args };
  // Clients of chat keep no thoughts, but every client returns its calls.
  const context = callIds.size > 1 ? undefined : writeReasoning(states);
  parts.push(context === undefined ? call : { ...call, context });
};

const logsOf = (item: UntrustedObject): string =>
  asArray(item['outputs'])
    .flatMap((output) => asText(asObject(output)?.['logs']) ?? [])
    .join('');

const takeCode = (reading: Reading, item: UntrustedObject): void => {
  const code = asText(item['code']) ?? '';
  reading.codeRuns += 1;
  reading.parts.push(
    { kind: 'executable_code', language: 'PYTHON', code },
    { kind: 'code_execution_result', outcome: item['status'] === 'failed' ? 'failed' : 'ok', output: logsOf(item) },
  );
};

/** An item of another type adds nothing that a client is shown. */
const takeItem = (reading: Reading, item: UntrustedObject): void => {
  switch (item['type']) {
    case 'reasoning':
      return takeReasoning(reading, item);
    case 'message':
      return takeMessage(reading, item);
    case 'function_call':
      return takeCall(reading, item);
    case 'code_interpreter_call':
      return takeCode(reading, item);
    case 'web_search_call':
      reading.searches += asText(asObject(item['action'])?.['type']) === 'search' ? 1 : 0;
      return undefined;
    default:
      return undefined;
  }
};

/** Reads the output of a response, in order. Throws only `UnknownOutcome`. */
export const readItems = (output: unknown, options: ReadingOptions): ReadItems => {
  const reading: Reading = {
    options,
    parts: [],
    states: [],
    callIds: new Set(),
    textChars: 0,
    refused: false,
    searches: 0,
    codeRuns: 0,
  };
  for (const item of asArray(output)) takeItem(reading, asObject(item) ?? {});
  const { parts, refused, searches, codeRuns } = reading;
  return { parts, refused, searches, codeRuns };
};
