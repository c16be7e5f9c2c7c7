import { encodeEvent } from '@tollgate/sse';
import type { AnswerHead, SettledAnswer, StreamWriter } from '../generation/generation-dialect.ts';
import type { AnswerPart } from '../generation/kept-answer.ts';
import { anthropicErrorBody } from './anthropic-error.ts';
import { codeBlock, codeResultBlock, inputOf, noUsage, stopReasonOf, usageOf } from './message-blocks.ts';

/** These clients drop an event without a name. */
const event = (type: string, members: object): string =>
  encodeEvent({ event: type, data: JSON.stringify({ type, ...members }) });

/** What a message says beside its content. */
export const messageHead = ({ id, model }: AnswerHead) => ({
  id: `msg_${id}`,
  type: 'message' as const,
  role: 'assistant' as const,
  model,
});

type OpenBlock = 'text' | 'thinking' | null;

/** The events of the content, block by block. */
const createBlockWriter = () => {
  let index = -1;
  let open: OpenBlock = null;
  const start = (block: object): string => {
    index += 1;
    return event('content_block_start', { index, content_block: block });
  };
  const delta = (change: object): string => event('content_block_delta', { index, delta: change });
  const stop = (): string => event('content_block_stop', { index });
  const close = (): string => {
    const text = open === null ? '' : stop();
    open = null;
    return text;
  };
  const enter = (kind: Exclude<OpenBlock, null>, block: object): string => {
    if (open === kind) return '';
    const text = close() + start(block);
    open = kind;
    return text;
  };
  const whole = (block: object): string => close() + start(block) + stop();
  const withInput = (block: object, input: object): string =>
    close() + start(block) + delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) }) + stop();
  const thinking = ({ text, context }: Extract<AnswerPart, { readonly kind: 'text' }>): string => {
    if (text === '' && context === undefined) return '';
    const begun = enter('thinking', { type: 'thinking', thinking: '', signature: '' });
    const said = text === '' ? '' : delta({ type: 'thinking_delta', thinking: text });
    const signed = context === undefined ? '' : delta({ type: 'signature_delta', signature: context }) + close();
    return begun + said + signed;
  };
  return {
    part: (part: AnswerPart): string => {
      switch (part.kind) {
        case 'text':
          if (part.thought === true) return thinking(part);
          if (part.text === '') return '';
          return enter('text', { type: 'text', text: '' }) + delta({ type: 'text_delta', text: part.text });
        case 'function_call':
          return withInput({ type: 'tool_use', id: part.id, name: part.name, input: {} }, inputOf(part));
        case 'executable_code': {
          const { input, ...block } = codeBlock(part);
          return withInput({ ...block, input: {} }, input);
        }
        case 'code_execution_result':
          return whole(codeResultBlock(part));
      }
    },
    close,
  };
};

/** Writes the events of a message. */
export const openMessageStream = (head: AnswerHead): StreamWriter => {
  const blocks = createBlockWriter();
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
      const content = parts.map(blocks.part).join('');
      return content === '' ? '' : opened() + content;
    },
    end: (settled: SettledAnswer) => {
      const { answer, receipt } = settled;
      const delta = { stop_reason: stopReasonOf(answer), stop_sequence: null };
      const last = { delta, usage: usageOf(settled), ...receipt };
      return opened() + blocks.close() + event('message_delta', last) + event('message_stop', {});
    },
    fail: (error) => encodeEvent({ event: 'error', data: anthropicErrorBody(error) }),
  };
};
