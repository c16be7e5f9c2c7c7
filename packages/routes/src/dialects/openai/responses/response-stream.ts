import type { GatewayError } from '@tollgate/contract';
import { withoutApiKeys } from '@tollgate/engine';
import { encodeEvent } from '@tollgate/sse';
import type { AnswerHead, StreamWriter } from '../../generation/generation-dialect.ts';
import type { AnswerPart } from '../../generation/kept-answer.ts';
import { customInput } from './read-tools.ts';
import { itemId, outputItem, summaryPart, textPart, type ItemParts } from './response-items.ts';
import { endedResponse, openResponse, outcomeOf, responseHead } from './response-object.ts';

type Write = (type: string, members: object) => string;

/** Events with their numbers. */
const createWrite = (): Write => {
  let number = 0;
  return (type, members) => {
    const data = JSON.stringify({ type, sequence_number: number, ...members });
    number += 1;
    return encodeEvent({ event: type, data });
  };
};

/** An item whose text is still coming. */
type OpenItem = { readonly kind: 'message' | 'reasoning'; text: string };

/** The events of the output, item by item. */
const createItemWriter = (head: AnswerHead, write: Write) => {
  let index = -1;
  let open: OpenItem | null = null;
  const at = (kind: ItemParts['kind']) => ({ item_id: itemId(head, kind, index), output_index: index });

  const add = (item: ItemParts, emptied: object): string => {
    index += 1;
    const added = { ...outputItem(head, item, index), ...emptied, status: 'in_progress' };
    return write('response.output_item.added', { output_index: index, item: added });
  };
  const done = (item: ItemParts): string =>
    write('response.output_item.done', { output_index: index, item: outputItem(head, item, index) });

  const endMessage = (text: string): string => {
    const place = { ...at('message'), content_index: 0 };
    return (
      write('response.output_text.done', { ...place, text, logprobs: [] }) +
      write('response.content_part.done', { ...place, part: textPart(text) }) +
      done({ kind: 'message', text })
    );
  };
  const endReasoning = (text: string, sealed: string | null): string => {
    const place = { ...at('reasoning'), summary_index: 0 };
    const summary =
      text === ''
        ? ''
        : write('response.reasoning_summary_text.done', { ...place, text }) +
          write('response.reasoning_summary_part.done', { ...place, part: summaryPart(text) });
    return summary + done({ kind: 'reasoning', text, sealed });
  };
  const close = (sealed: string | null = null): string => {
    const item = open;
    open = null;
    if (item === null) return '';
    return item.kind === 'message' ? endMessage(item.text) : endReasoning(item.text, sealed);
  };

  const say = (text: string): string => {
    if (text === '') return '';
    let events = '';
    if (open?.kind !== 'message') {
      events = close() + add({ kind: 'message', text: '' }, { content: [] });
      events += write('response.content_part.added', { ...at('message'), content_index: 0, part: textPart('') });
      open = { kind: 'message', text: '' };
    }
    open.text += text;
    return (
      events + write('response.output_text.delta', { ...at('message'), content_index: 0, delta: text, logprobs: [] })
    );
  };
  const think = (text: string, sealed: string | null): string => {
    if (text === '' && sealed === null) return '';
    let events = '';
    if (open?.kind !== 'reasoning') {
      events = close() + add({ kind: 'reasoning', text: '', sealed: null }, { summary: [] });
      open = { kind: 'reasoning', text: '' };
    }
    const place = { ...at('reasoning'), summary_index: 0 };
    if (text !== '') {
      if (open.text === '')
        events += write('response.reasoning_summary_part.added', { ...place, part: summaryPart('') });
      events += write('response.reasoning_summary_text.delta', { ...place, delta: text });
      open.text += text;
    }
    return sealed === null ? events : events + close(sealed);
  };

  const call = (part: Extract<AnswerPart, { readonly kind: 'function_call' }>): string => {
    const item: ItemParts = { kind: 'call', call: part };
    const isCustom = 'input' in outputItem(head, item, index);
    const [event, member, text] = isCustom
      ? ['response.custom_tool_call_input', 'input', customInput(part.arguments)]
      : ['response.function_call_arguments', 'arguments', part.arguments];
    return (
      close() +
      add(item, { [member]: '' }) +
      write(`${event}.delta`, { ...at('call'), delta: text }) +
      write(`${event}.done`, { ...at('call'), name: part.name, [member]: text }) +
      done(item)
    );
  };

  /** Code and what it printed are one item: it is written when both are there. */
  let code: string | null = null;
  const runCode = (output: string | null): string => {
    const item: ItemParts = { kind: 'code', code: code ?? '', output };
    code = null;
    return close() + add(item, { outputs: null }) + done(item);
  };
  const openCode = (): string => (code === null ? '' : runCode(null));

  const part = (piece: AnswerPart): string => {
    switch (piece.kind) {
      case 'text':
        return openCode() + (piece.thought === true ? think(piece.text, piece.context ?? null) : say(piece.text));
      case 'function_call':
        return openCode() + call(piece);
      case 'executable_code': {
        const before = openCode();
        code = piece.code;
        return before;
      }
      case 'code_execution_result':
        return runCode(piece.output);
    }
  };
  return { part, close: (): string => openCode() + close() };
};

/**
 * An outcome that is not known, or a failure after the first piece: one more request would be one more operation. Agents do not
 * repeat a response that failed with this code, and clients show the message.
 */
const failureCode = 'server_is_overloaded';

/** Writes the events of a response. */
export const openResponseStream = (head: AnswerHead): StreamWriter => {
  const write = createWrite();
  const items = createItemWriter(head, write);
  let isOpen = false;
  const opening = (): string => {
    if (isOpen) return '';
    isOpen = true;
    const response = openResponse(head);
    return write('response.created', { response }) + write('response.in_progress', { response });
  };
  return {
    piece: (parts) => {
      // The events are numbered in their order, so the opening is written before it is known whether a piece says anything.
      const begun = opening();
      return begun + parts.map(items.part).join('');
    },
    end: (settled) => {
      const begun = opening();
      const last = items.close();
      const { status } = outcomeOf(settled.answer.finish);
      return begun + last + write(`response.${status}`, { response: endedResponse(head, settled) });
    },
    fail: (error: GatewayError) => {
      const message = withoutApiKeys(error.message);
      const failed = {
        status: 'failed',
        error: { code: failureCode, message, reason: error.code },
        incomplete_details: null,
      };
      return write('response.failed', { response: { ...responseHead(head), ...failed, output: [], usage: null } });
    },
  };
};
