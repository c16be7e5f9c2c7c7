import type { LanguageModelV4Content, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import {
  UnknownOutcome,
  urlCitation,
  type FunctionCallPart,
  type MediaPart,
  type Part,
  type TextPart,
} from '@tollgate/provider';
import { codeToolName, fromCodeCall, fromCodeResult } from './code-execution.ts';
import { neutralPage } from './google-metadata.ts';
import { writePartContext, type Reasoning } from './part-context.ts';
import type { Vendor } from './vendor.ts';

/** A model's content that is complete, as it comes whole or as a piece of a stream. */
type Content<Type extends LanguageModelV4Content['type']> = Extract<LanguageModelV4Content, { type: Type }>;

/** Reads the parts of one answer, in order. */
export interface PartReader {
  readonly read: (content: LanguageModelV4Content) => readonly Part[];
  /** Begins another run of reasoning. */
  readonly beginThought: () => void;
  /** Text that comes in pieces. */
  readonly text: (piece: TextPiece) => readonly TextPart[];
  /** Programs that ran at the upstream, so far. */
  readonly codeRuns: () => number;
  /** Pages that the upstream was asked to read, as far as it says so in its content. */
  readonly urlFetches: () => number;
  /** Searches that the upstream was asked for, as far as it says so in its content. */
  readonly searches: () => number;
}

export interface TextPiece {
  readonly text: string;
  readonly thought: boolean;
  readonly metadata: SharedV4ProviderMetadata | undefined;
}

interface ReaderState {
  readonly reasoning: { text: string; metadata: SharedV4ProviderMetadata | undefined }[];
  readonly ids: Set<string>;
  hasCalls: boolean;
  codeRuns: number;
  urlFetches: number;
  searches: number;
  /** Addresses that are cited. */
  readonly cited: Set<string>;
}

export interface ReaderOptions {
  readonly vendor: Vendor;
  /** Whether the client asked to be shown thoughts. */
  readonly showThoughts: boolean;
}

/** One reader for one answer: it remembers the reasoning, which some upstreams want back with the first call. */
export const createPartReader = (options: ReaderOptions): PartReader => {
  const state: ReaderState = {
    reasoning: [],
    ids: new Set(),
    hasCalls: false,
    codeRuns: 0,
    urlFetches: 0,
    searches: 0,
    cited: new Set(),
  };
  return {
    read: (content) => readContent(content, state, options),
    beginThought: () => beginThought(state),
    text: (piece) => readText(piece, state, options),
    codeRuns: () => state.codeRuns,
    urlFetches: () => state.urlFetches,
    searches: () => state.searches,
  };
};

const contextOf = (metadata: SharedV4ProviderMetadata | undefined): { context?: string } => {
  const context = writePartContext({ metadata });
  return context === undefined ? {} : { context };
};

const readContent = (content: LanguageModelV4Content, state: ReaderState, options: ReaderOptions): readonly Part[] => {
  switch (content.type) {
    case 'text':
      return readText({ text: content.text, thought: false, metadata: content.providerMetadata }, state, options);
    case 'reasoning':
      beginThought(state);
      return readText({ text: content.text, thought: true, metadata: content.providerMetadata }, state, options);
    case 'file':
      return [readFile(content)];
    case 'reasoning-file':
      return options.showThoughts ? [{ ...readFile(content), thought: true }] : [];
    case 'tool-call':
      return content.providerExecuted === true
        ? readOwnCall(content, state, options)
        : [readCall(content, state, options)];
    case 'tool-result':
      return content.toolName === codeToolName && content.preliminary !== true
        ? [fromCodeResult(content, options.vendor)]
        : [];
    case 'source':
      return readSource(content, state);
    // The contract has no place for these: the vendor's own things.
    case 'custom':
    case 'tool-approval-request':
      return [];
  }
};

/** Citations of one answer. */
const citationsMax = 256;

/** A page that the answer cites, once; the AI SDK does not say where. */
const readSource = (source: Content<'source'>, { cited }: ReaderState): readonly TextPart[] => {
  if (source.sourceType !== 'url' || cited.has(source.url) || cited.size >= citationsMax) return [];
  cited.add(source.url);
  const page = neutralPage(source.url, source.title);
  return page === undefined ? [] : [{ kind: 'text', text: '', annotations: [urlCitation(page)] }];
};

const beginThought = ({ reasoning }: ReaderState): void => void reasoning.push({ text: '', metadata: undefined });

/** Reasoning is kept piece by piece; the last signature of a run of it counts. */
const keepReasoning = ({ text, metadata }: TextPiece, { reasoning }: ReaderState): void => {
  const last = reasoning.at(-1);
  if (last === undefined) reasoning.push({ text, metadata });
  else {
    last.text += text;
    last.metadata = metadata ?? last.metadata;
  }
};

const readText = (piece: TextPiece, state: ReaderState, { showThoughts }: ReaderOptions): readonly TextPart[] => {
  const { text, thought, metadata } = piece;
  if (thought && !state.hasCalls) keepReasoning(piece, state);
  const part = { kind: 'text', text, ...contextOf(metadata) } as const;
  if (text === '' && part.context === undefined) return [];
  if (!thought) return [part];
  return showThoughts ? [{ ...part, thought: true }] : [];
};

/** A model may answer an address instead of bytes; what lies there is neither measured nor kept. */
const readFile = ({ data, mediaType, providerMetadata }: Content<'file'> | Content<'reasoning-file'>): MediaPart => {
  if (data.type === 'url') throw new UnknownOutcome('unreadable_answer', 'a file by its address');
  const base64 = typeof data.data === 'string' ? data.data : Buffer.from(data.data).toString('base64');
  return { kind: 'media', mimeType: mediaType, data: base64, ...contextOf(providerMetadata) };
};

/** What the upstream ran itself. */
const readOwnCall = (call: Content<'tool-call'>, state: ReaderState, { vendor }: ReaderOptions): readonly Part[] => {
  if (call.toolName === codeToolName) {
    state.codeRuns += 1;
    return [fromCodeCall(call, vendor)];
  }
  if (/url_context/i.test(call.toolName)) state.urlFetches += 1;
  if (call.toolName === 'web_search') state.searches += 1;
  return [];
};

/** Google's models want signatures back, and no reasoning without one. */
const reasoningOf = (state: ReaderState, { vendor }: ReaderOptions): readonly Reasoning[] =>
  state.reasoning.filter(({ text, metadata }) => metadata !== undefined || (text !== '' && vendor !== 'google'));

const readCall = (call: Content<'tool-call'>, state: ReaderState, options: ReaderOptions): FunctionCallPart => {
  const { toolCallId, toolName, input, providerMetadata: metadata } = call;
  // Two calls of one id could not be answered apart.
  if (toolName === '' || toolCallId === '' || state.ids.has(toolCallId)) {
    throw new UnknownOutcome('unreadable_answer', 'a call without a name or an id of its own');
  }
  state.ids.add(toolCallId);
  const reasoning = state.hasCalls ? [] : reasoningOf(state, options);
  state.hasCalls = true;
  const context = writePartContext({ metadata, reasoning });
  const args = input.trim() === '' ? '{}' : input;
  return {
    kind: 'function_call',
    id: toolCallId,
    name: toolName,
    arguments: args,
    ...(context === undefined ? {} : { context }),
  };
};
