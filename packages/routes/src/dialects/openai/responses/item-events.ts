import type { CallStep } from '../../../call-order.ts';
import { withEarlyCitations } from '../../generation/early-citations.ts';
import type { AnswerMedia, AnswerPart, AnswerText } from '../../generation/kept-answer.ts';
import { writeCall, writeCallStep } from './call-events.ts';
import { imageEvents } from './image-tool.ts';
import { summaryPart, textPart, withText, type ItemParts, type OpenMessage } from './response-items.ts';
import { isShown, toolEvents, type ShownCall } from './tool-items.ts';
import {
  addItem,
  endItem,
  placeOf,
  textPlaceOf,
  writeEvent,
  writeText,
  type OpenText,
  type WrittenEvents,
} from './written-events.ts';

type OpenItem<K extends OpenText['kind']> = Extract<OpenText, { readonly kind: K }>;

const endMessage = (events: WrittenEvents, message: OpenMessage): string => {
  const { text, annotations } = message;
  events.said += text.length;
  const place = { ...placeOf(events, 'message'), content_index: 0 };
  return (
    writeEvent(events, 'response.output_text.done', { ...place, text, logprobs: [] }) +
    writeEvent(events, 'response.content_part.done', { ...place, part: textPart(text, annotations) }) +
    endItem(events, { kind: 'message', ...message })
  );
};

const endReasoning = (events: WrittenEvents, text: string, sealed: string | null): string => {
  const place = { ...placeOf(events, 'reasoning'), summary_index: 0 };
  const summary =
    text === ''
      ? ''
      : writeEvent(events, 'response.reasoning_summary_text.done', { ...place, text }) +
        writeEvent(events, 'response.reasoning_summary_part.done', { ...place, part: summaryPart(text) });
  return summary + endItem(events, { kind: 'reasoning', text, sealed });
};

const closeText = (events: WrittenEvents, sealed: string | null = null): string => {
  const { open } = events;
  events.open = null;
  if (open === null) return '';
  return open.kind === 'message' ? endMessage(events, open.message) : endReasoning(events, open.text, sealed);
};

/** Adds to the message that is open: its text, and what that cites. */
const extend = (events: WrittenEvents, open: OpenItem<'message'>, part: AnswerText): string => {
  const known = open.message.annotations.length;
  open.message = withText(open.message, part);
  if (part.annotations === undefined) return '';
  const place = { ...placeOf(events, 'message'), content_index: 0 };
  const cited = open.message.annotations.slice(known).map((annotation, index) =>
    writeEvent(events, 'response.output_text.annotation.added', {
      ...place,
      annotation_index: known + index,
      annotation,
    }),
  );
  return cited.join('');
};

const beginMessage = (events: WrittenEvents): string => {
  const ended = closeText(events);
  const message = { text: '', annotations: [], before: events.said };
  const added = addItem(events, { kind: 'message', ...message }, { content: [] });
  const place = { ...placeOf(events, 'message'), content_index: 0 };
  events.open = { kind: 'message', message, place: textPlaceOf(events) };
  return ended + added + writeEvent(events, 'response.content_part.added', { ...place, part: textPart('') });
};

const say = (events: WrittenEvents, part: AnswerText): string => {
  const citing = withEarlyCitations(events.early, part, events.open?.kind === 'message');
  if (citing === null) return '';
  const begun = events.open?.kind === 'message' ? '' : beginMessage(events);
  // Beginning a message leaves it open.
  if (events.open?.kind !== 'message') return begun;
  const said = part.text === '' ? '' : writeText(events, events.open.place, part.text);
  return begun + said + extend(events, events.open, citing);
};

const addSummary = (events: WrittenEvents, text: string): string => {
  if (text === '' || events.open?.kind !== 'reasoning') return '';
  const place = { ...placeOf(events, 'reasoning'), summary_index: 0 };
  const isFirst = events.open.text === '';
  events.open.text += text;
  const begun = isFirst
    ? writeEvent(events, 'response.reasoning_summary_part.added', { ...place, part: summaryPart('') })
    : '';
  return begun + writeEvent(events, 'response.reasoning_summary_text.delta', { ...place, delta: text });
};

/** The state of a thought ends its item. */
const think = (events: WrittenEvents, text: string, sealed: string | null): string => {
  if (text === '' && sealed === null) return '';
  let begun = '';
  if (events.open?.kind !== 'reasoning') {
    begun = closeText(events) + addItem(events, { kind: 'reasoning', text: '', sealed: null }, { summary: [] });
    events.open = { kind: 'reasoning', text: '' };
  }
  const said = begun + addSummary(events, text);
  return sealed === null ? said : said + closeText(events, sealed);
};

const runCode = (events: WrittenEvents, output: string | null): string => {
  const item: ItemParts = { kind: 'code', code: events.code ?? '', output };
  events.code = null;
  return closeText(events) + addItem(events, item, { outputs: null }) + endItem(events, item);
};

const runTool = (events: WrittenEvents, call: ShownCall): string => {
  const item: ItemParts = { kind: 'tool', call };
  const opened = closeText(events) + addItem(events, item, {});
  const place = placeOf(events, item);
  const between = toolEvents(call).map(([type, members]) => writeEvent(events, type, { ...place, ...members }));
  return opened + between.join('') + endItem(events, item);
};

const drawImage = (events: WrittenEvents, image: AnswerMedia): string => {
  const item: ItemParts = { kind: 'image', image };
  const opened = closeText(events) + addItem(events, item, { result: null });
  const place = placeOf(events, 'image');
  return opened + imageEvents.map((type) => writeEvent(events, type, place)).join('') + endItem(events, item);
};

const closeCode = (events: WrittenEvents): string => (events.code === null ? '' : runCode(events, null));

/** The events of one part of the answer. */
export const writePart = (events: WrittenEvents, part: AnswerPart): string => {
  if (part.kind === 'code_execution_result') return runCode(events, part.output);
  const before = closeCode(events);
  switch (part.kind) {
    case 'text':
      return before + (part.thought === true ? think(events, part.text, part.context ?? null) : say(events, part));
    case 'function_call':
      return before + closeText(events) + writeCall(events, part);
    case 'executable_code':
      events.code = part.code;
      return before;
    case 'media':
      return before + drawImage(events, part);
    case 'tool_call':
      return before + (isShown(part) ? runTool(events, part) : '');
  }
};

/** The events of one step of a call that is sent while the model writes it. */
export const writeStep = (events: WrittenEvents, step: CallStep): string =>
  (step.kind === 'begun' ? closeCode(events) + closeText(events) : '') + writeCallStep(events, step);

/** The events that end the last item. */
export const closeItems = (events: WrittenEvents): string => closeCode(events) + closeText(events);
