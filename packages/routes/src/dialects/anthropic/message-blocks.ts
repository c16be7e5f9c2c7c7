import type { OperationRecord } from '@tollgate/storage';
import { tierOf } from '../../service-tier.ts';
import { sumTokens, tokenCounts } from '../../token-counts.ts';
import { callInput } from '../generation/call-input.ts';
import { noEarlyCitations, withEarlyCitations, type EarlyCitations } from '../generation/early-citations.ts';
import type { SettledAnswer } from '../generation/generation-dialect.ts';
import type { AnswerPart, AnswerText, KeptAnswer } from '../generation/kept-answer.ts';
import { citationsOf, serverBlocks, serverToolUsage } from './server-blocks.ts';

type Code = Extract<AnswerPart, { readonly kind: 'executable_code' }>;
type CodeResult = Extract<AnswerPart, { readonly kind: 'code_execution_result' }>;

export const codeBlock = ({ id, code }: Code) => ({
  type: 'server_tool_use',
  id: id ?? 'srvtoolu_code',
  name: 'code_execution',
  input: { code },
});

export const codeResultBlock = ({ id, outcome, output }: CodeResult) => ({
  type: 'code_execution_tool_result',
  tool_use_id: id ?? 'srvtoolu_code',
  content: {
    type: 'code_execution_result',
    stdout: outcome === 'ok' ? output : '',
    stderr: outcome === 'ok' ? '' : output,
    return_code: outcome === 'ok' ? 0 : 1,
    content: [],
  },
});

/** Texts that follow each other are one block. A state ends the thought that it belongs to. */
type Block =
  | { readonly type: 'text'; text: string; citations?: readonly object[] }
  | { readonly type: 'thinking'; thinking: string; signature: string }
  | object;

const isOpenThinking = (block: Block | undefined): block is Extract<Block, { readonly type: 'thinking' }> =>
  block !== undefined && 'thinking' in block && block.signature === '';

const addThought = (blocks: Block[], { text, context }: AnswerText): void => {
  const last = blocks.at(-1);
  if (isOpenThinking(last)) {
    last.thinking += text;
    last.signature = context ?? '';
  } else if (text !== '' || context !== undefined)
    blocks.push({ type: 'thinking', thinking: text, signature: context ?? '' });
};

const addText = (blocks: Block[], early: EarlyCitations, part: AnswerText): void => {
  const last = blocks.at(-1);
  const isOpen = last !== undefined && 'text' in last;
  const citing = withEarlyCitations(early, part, isOpen);
  if (citing === null) return;
  const open = isOpen ? last : { type: 'text' as const, text: '' };
  if (open !== last) blocks.push(open);
  open.text += part.text;
  const cited = citationsOf(citing);
  if (cited.length > 0) open.citations = [...(open.citations ?? []), ...cited];
};

const addCall = (blocks: Block[], part: Extract<AnswerPart, { readonly kind: 'tool_call' }>): void => {
  const called = serverBlocks(part);
  if (called !== null) blocks.push({ ...called.use, input: called.input }, called.result);
};

/** The content of a whole message. */
export const contentBlocks = (parts: readonly AnswerPart[]): readonly object[] => {
  const blocks: Block[] = [];
  const early = noEarlyCitations();
  for (const part of parts) {
    if (part.kind === 'function_call')
      blocks.push({ type: 'tool_use', id: part.id, name: part.name, input: callInput(part) });
    else if (part.kind === 'executable_code') blocks.push(codeBlock(part));
    else if (part.kind === 'code_execution_result') blocks.push(codeResultBlock(part));
    else if (part.kind === 'tool_call') addCall(blocks, part);
    else if (part.kind === 'text' && part.thought === true) addThought(blocks, part);
    else if (part.kind === 'text') addText(blocks, early, part);
  }
  return blocks;
};

/** Why an answer ended, in the words of this dialect. */
export const stopReasonOf = ({ finish, parts }: KeptAnswer): string => {
  if (finish === 'content_filter') return 'refusal';
  if (finish === 'length') return 'max_tokens';
  if (finish === 'cancelled') return 'pause_turn';
  return parts.some(({ kind }) => kind === 'function_call') ? 'tool_use' : 'end_turn';
};

/** This wire asks for no tier that has a price, so that a message is charged as standard where nothing else was served. */
const tierShown = (operation: OperationRecord): 'standard' | 'priority' | 'batch' => {
  if (operation.kind === 'batch') return 'batch';
  return tierOf(operation) === 'priority' ? 'priority' : 'standard';
};

/** Input that was read from a cache, or written into one, is no part of `input_tokens` here; thoughts are a part of `output_tokens`. */
export const usageOf = ({ operation, answer }: SettledAnswer) => {
  const counts = tokenCounts(operation);
  const output = sumTokens(counts, ({ part }) => part === 'response' || part === 'thoughts');
  const cached = sumTokens(counts, ({ isCached }) => isCached);
  const written = sumTokens(counts, ({ isWritten }) => isWritten);
  return {
    input_tokens: sumTokens(counts) - output - cached - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    output_tokens: output,
    service_tier: tierShown(operation),
    ...serverToolUsage(answer.parts, operation),
  };
};

/** Before the end nothing is measured. Clients add up what they are sent, so it begins with nothing. */
export const noUsage = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: 0,
  // Clients keep what the first event says of it.
  service_tier: 'standard',
};
