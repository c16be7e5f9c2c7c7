import { asObject, asText, type Part, type TextPart, type UntrustedObject } from '@tollgate/provider';
import { readCode, readCodeResult } from './code-blocks.ts';
import { readCitations } from './text-citations.ts';
import { writeCallContext, writeThoughtContext, type ThoughtState } from './turn-state.ts';

export interface BlockReaderOptions {
  /** Whether the text of thoughts is handed on; their state always is, for clients that bring it back. */
  readonly includeThoughts: boolean;
  /** Makes the id of a call that the upstream left without one. */
  readonly newCallId: () => string;
}

/** Reads the blocks of one message in order. */
export interface BlockReader {
  readonly options: BlockReaderOptions;
  /** Thoughts that no call carries yet. */
  thoughts: ThoughtState[];
  /** Characters of the visible text of the blocks that are read. */
  saidChars: number;
}

export const createBlockReader = (options: BlockReaderOptions): BlockReader => ({
  options,
  thoughts: [],
  saidChars: 0,
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The parts that a whole block comes to. Total: a block of a kind that is not known says nothing. */
export const readBlock = (reader: BlockReader, block: UntrustedObject): readonly Part[] => {
  switch (block['type']) {
    case 'text':
      return [citedText(reader, block, textOf(block['text']))].filter(saysSomething);
    case 'thinking':
    case 'redacted_thinking':
      return thoughtParts(reader, block, reader.options.includeThoughts ? textOf(block['thinking']) : '');
    case 'tool_use':
      return [readCall(reader, block, JSON.stringify(asObject(block['input']) ?? {}))];
    case 'server_tool_use':
      return partsOf(readCode(block));
    default:
      return partsOf(readCodeResult(block));
  }
};

const partsOf = (part: Part | undefined): readonly Part[] => (part === undefined ? [] : [part]);

/**
 * What is left to say of a block whose text was handed over as it came. The arguments of a call are the text that was written, for
 * a client has read it by then.
 */
export const endBlock = (reader: BlockReader, block: UntrustedObject, written: string): readonly Part[] => {
  if (block['type'] === 'text') return [citedText(reader, block, '')].filter(saysSomething);
  if (block['type'] === 'tool_use' && written !== '') return [readCall(reader, block, written)];
  return block['type'] === 'thinking' ? thoughtParts(reader, block, '') : readBlock(reader, block);
};

/** The piece of text that a delta adds to a block. */
export const readDelta = ({ options }: BlockReader, delta: UntrustedObject): readonly TextPart[] => {
  const text = asText(delta['text']);
  if (delta['type'] === 'text_delta') return textParts(text ?? '');
  const thinking = delta['type'] === 'thinking_delta' ? asText(delta['thinking']) : undefined;
  return thinking === undefined || !options.includeThoughts ? [] : [{ kind: 'text', text: thinking, thought: true }];
};

const textParts = (text: string): readonly TextPart[] => (text === '' ? [] : [{ kind: 'text', text }]);

/** `text` is what is handed on of the block's own, and is nothing where that was done before. */
const citedText = (reader: BlockReader, block: UntrustedObject, text: string): TextPart => {
  const annotations = readCitations(block, reader.saidChars);
  reader.saidChars += textOf(block['text']).length;
  return annotations.length === 0 ? { kind: 'text', text } : { kind: 'text', text, annotations };
};

const saysSomething = ({ text, annotations }: TextPart): boolean => text !== '' || annotations !== undefined;

const readThought = (block: UntrustedObject): ThoughtState | undefined => {
  const data = asText(block['data']);
  if (block['type'] === 'redacted_thinking') return data === undefined ? undefined : { kind: 'redacted', data };
  const signature = asText(block['signature']);
  return signature === undefined ? undefined : { kind: 'signed', thinking: textOf(block['thinking']), signature };
};

/** `text` is what is handed on of the thought's own, and is nothing where that was done before. */
const thoughtParts = (reader: BlockReader, block: UntrustedObject, text: string): readonly TextPart[] => {
  const state = readThought(block);
  if (state !== undefined) reader.thoughts.push(state);
  const context = state === undefined ? undefined : writeThoughtContext(state);
  if (context !== undefined) return [{ kind: 'text', text, thought: true, context }];
  return text === '' ? [] : [{ kind: 'text', text, thought: true }];
};

/** The first call after thoughts carries them, for clients that bring back calls alone. */
const readCall = (reader: BlockReader, block: UntrustedObject, text: string): Part => {
  const context = writeCallContext(reader.thoughts);
  reader.thoughts = [];
  const call = {
    kind: 'function_call',
    id: asText(block['id']) ?? reader.options.newCallId(),
    name: textOf(block['name']),
    arguments: text,
  } as const;
  return context === undefined ? call : { ...call, context };
};
