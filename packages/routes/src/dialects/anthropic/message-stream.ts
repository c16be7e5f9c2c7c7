import type { CallStep, WrittenCall } from '../../call-order.ts';
import type { AnswerHead, SettledAnswer, StreamWriter } from '../generation/generation-dialect.ts';
import type { AnswerPart, AnswerText, ToolCallPart } from '../generation/kept-answer.ts';
import { noEarlyCitations, withEarlyCitations, type EarlyCitations } from '../generation/early-citations.ts';
import { namedEvent } from '../../stream-in-time.ts';
import { anthropicErrorBody } from './anthropic-error.ts';
import { callInput } from '../generation/call-input.ts';
import { citationsOf, serverBlocks } from './server-blocks.ts';
import { codeBlock, codeResultBlock, noUsage, stopReasonOf, usageOf } from './message-blocks.ts';

/** These clients drop an event without a name. */
const event = (type: string, members: object): string => namedEvent(type, JSON.stringify({ type, ...members }));

/** What a message says beside its content. */
export const messageHead = ({ id, model }: AnswerHead) => ({
  id: `msg_${id}`,
  type: 'message' as const,
  role: 'assistant' as const,
  model,
});

/** The content so far as it is written. */
interface WrittenBlocks {
  /** The place of the last block. */
  index: number;
  /** Characters of the input of the last call that were sent. */
  inputChars: number;
  /** The kind of the block whose text is still coming. */
  open: 'text' | 'thinking' | null;
  /** Citations that came before a text. */
  readonly early: EarlyCitations;
}

const start = (blocks: WrittenBlocks, block: object): string => {
  blocks.index += 1;
  return event('content_block_start', { index: blocks.index, content_block: block });
};

const add = ({ index }: WrittenBlocks, delta: object): string => event('content_block_delta', { index, delta });
const stop = ({ index }: WrittenBlocks): string => event('content_block_stop', { index });

const close = (blocks: WrittenBlocks): string => {
  const text = blocks.open === null ? '' : stop(blocks);
  blocks.open = null;
  return text;
};

const enter = (blocks: WrittenBlocks, kind: 'text' | 'thinking', block: object): string => {
  if (blocks.open === kind) return '';
  const text = close(blocks) + start(blocks, block);
  blocks.open = kind;
  return text;
};

const withInput = (blocks: WrittenBlocks, block: object, input: unknown): string =>
  close(blocks) +
  start(blocks, { ...block, input: {} }) +
  add(blocks, { type: 'input_json_delta', partial_json: JSON.stringify(input) }) +
  stop(blocks);

/** The state of a thought ends its block. */
const think = (blocks: WrittenBlocks, { text, context }: AnswerText): string => {
  if (text === '' && context === undefined) return '';
  const begun = enter(blocks, 'thinking', { type: 'thinking', thinking: '', signature: '' });
  const said = text === '' ? '' : add(blocks, { type: 'thinking_delta', thinking: text });
  if (context === undefined) return begun + said;
  return begun + said + add(blocks, { type: 'signature_delta', signature: context }) + close(blocks);
};

const say = (blocks: WrittenBlocks, part: AnswerText): string => {
  const citing = withEarlyCitations(blocks.early, part, blocks.open === 'text');
  if (citing === null) return '';
  const begun = enter(blocks, 'text', { type: 'text', text: '' });
  const said = part.text === '' ? '' : add(blocks, { type: 'text_delta', text: part.text });
  const cited = citationsOf(citing).map((citation) => add(blocks, { type: 'citations_delta', citation }));
  return begun + said + cited.join('');
};

const runTool = (blocks: WrittenBlocks, part: ToolCallPart): string => {
  const called = serverBlocks(part);
  if (called === null) return '';
  const { use, input, result } = called;
  return withInput(blocks, use, input) + start(blocks, result) + stop(blocks);
};

const addInput = (blocks: WrittenBlocks, text: string): string => {
  blocks.inputChars += text.length;
  return add(blocks, { type: 'input_json_delta', partial_json: text });
};

/** Input is sent as the model writes it; one that was not begun is written as an object. */
const endInput = (blocks: WrittenBlocks, call: WrittenCall): string => {
  const rest = call.arguments.slice(blocks.inputChars);
  if (blocks.inputChars === 0) return addInput(blocks, JSON.stringify(callInput(call))) + stop(blocks);
  return (rest === '' ? '' : addInput(blocks, rest)) + stop(blocks);
};

const writeStep = (blocks: WrittenBlocks, step: CallStep): string => {
  switch (step.kind) {
    case 'begun':
      blocks.inputChars = 0;
      return close(blocks) + start(blocks, { type: 'tool_use', id: step.id, name: step.name, input: {} });
    case 'arguments':
      return addInput(blocks, step.text);
    case 'ended':
      return endInput(blocks, step.call);
  }
};

/** The events of one part of the answer. */
const writePart = (blocks: WrittenBlocks, part: AnswerPart): string => {
  switch (part.kind) {
    case 'text':
      return part.thought === true ? think(blocks, part) : say(blocks, part);
    case 'tool_call':
      return runTool(blocks, part);
    case 'function_call':
      return withInput(blocks, { type: 'tool_use', id: part.id, name: part.name }, callInput(part));
    case 'executable_code': {
      const { input, ...block } = codeBlock(part);
      return withInput(blocks, block, input);
    }
    case 'code_execution_result':
      return close(blocks) + start(blocks, codeResultBlock(part)) + stop(blocks);
    case 'media':
      // This wire keeps none.
      return '';
  }
};

/** Writes the events of a message. */
export const openMessageStream = (head: AnswerHead): StreamWriter => {
  const blocks: WrittenBlocks = { index: -1, inputChars: 0, open: null, early: noEarlyCitations() };
  let opening = event('message_start', {
    message: { ...messageHead(head), content: [], stop_reason: null, stop_sequence: null, usage: noUsage },
  });
  const opened = (): string => {
    const text = opening;
    opening = '';
    return text;
  };
  return {
    piece: (parts) => {
      const content = parts.map((part) => writePart(blocks, part)).join('');
      return content === '' ? '' : opened() + content;
    },
    callStep: (step) => {
      const content = writeStep(blocks, step);
      return opened() + content;
    },
    end: (settled: SettledAnswer) => {
      const { answer, receipt } = settled;
      const delta = { stop_reason: stopReasonOf(answer), stop_sequence: null };
      const last = { delta, usage: usageOf(settled), ...receipt };
      return opened() + close(blocks) + event('message_delta', last) + event('message_stop', {});
    },
    alive: () => opened() + event('ping', {}),
    fail: (error) => namedEvent('error', anthropicErrorBody(error)),
  };
};
