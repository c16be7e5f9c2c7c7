import {
  appendText,
  asArray,
  asCount,
  asObject,
  asText,
  createGrowingText,
  parseJson,
  wholeText,
  type GrowingText,
  type UntrustedObject,
} from '@tollgate/provider';

/** A block that is being written, by the texts that its deltas add up. */
interface OpenBlock {
  readonly start: UntrustedObject;
  readonly text: GrowingText;
  readonly citations: unknown[];
  signature: string;
}

/** The events of one message, put together as they come. */
export interface StreamedMessage {
  /** What the message said at its beginning; undefined before. */
  head: UntrustedObject | undefined;
  /** Members of its end: `stop_reason` and the like. */
  end: UntrustedObject;
  usage: UntrustedObject;
  /** Whether the whole usage was said, and not its beginning alone. */
  isMeasured: boolean;
  /** The upstream said that this is all. */
  isStopped: boolean;
  readonly blocks: UntrustedObject[];
  readonly open: Map<number, OpenBlock>;
}

export const createStreamedMessage = (): StreamedMessage => ({
  head: undefined,
  end: {},
  usage: {},
  isMeasured: false,
  isStopped: false,
  blocks: [],
  open: new Map(),
});

/** Takes `message_start`. */
export const startMessage = (message: StreamedMessage, event: UntrustedObject): void => {
  message.head = asObject(event['message']) ?? {};
  message.usage = asObject(message.head['usage']) ?? {};
};

/** Members of a usage that are null say nothing new. */
const said = (members: UntrustedObject): UntrustedObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

/** Takes `message_delta`, whose counts are of the whole message so far. */
export const endMessage = (message: StreamedMessage, event: UntrustedObject): void => {
  message.end = { ...message.end, ...asObject(event['delta']) };
  const usage = asObject(event['usage']);
  if (usage === undefined) return;
  message.usage = { ...message.usage, ...said(usage) };
  message.isMeasured = asCount(usage['output_tokens']) !== undefined;
};

const indexOf = (event: UntrustedObject): number => asCount(event['index']) ?? 0;

export const startBlock = ({ open }: StreamedMessage, event: UntrustedObject): void => {
  const start = asObject(event['content_block']) ?? {};
  const block: OpenBlock = {
    start,
    text: createGrowingText(),
    citations: [...asArray(start['citations'])],
    signature: asText(start['signature']) ?? '',
  };
  for (const member of ['text', 'thinking']) appendText(block.text, asText(start[member]) ?? '');
  open.set(indexOf(event), block);
};

/** Members in which a delta brings text. */
const deltaTexts: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  input_json_delta: 'partial_json',
};

/** Adds a delta to its block, and returns it. */
export const addDelta = ({ open }: StreamedMessage, event: UntrustedObject): UntrustedObject => {
  const delta = asObject(event['delta']) ?? {};
  const block = open.get(indexOf(event));
  if (block === undefined) return {};
  const type = asText(delta['type']) ?? '';
  const member = Object.hasOwn(deltaTexts, type) ? deltaTexts[type] : undefined;
  if (member !== undefined) appendText(block.text, asText(delta[member]) ?? '');
  else if (type === 'signature_delta') block.signature += asText(delta['signature']) ?? '';
  else if (type === 'citations_delta') block.citations.push(delta['citation']);
  return delta;
};

/** The block as it would have come in one piece. */
const wholeBlock = ({ start, citations, signature }: OpenBlock, written: string): UntrustedObject => {
  switch (start['type']) {
    case 'text':
      return citations.length === 0 ? { ...start, text: written } : { ...start, text: written, citations };
    case 'thinking':
      return { ...start, thinking: written, signature };
    case 'tool_use':
    case 'server_tool_use':
      return written === '' ? start : { ...start, input: parseJson(written) };
    default:
      return start;
  }
};

/** How the block of an event began; undefined where none is open. */
export const openBlockOf = ({ open }: StreamedMessage, event: UntrustedObject): UntrustedObject | undefined =>
  open.get(indexOf(event))?.start;

/** A block that is written to its end. */
export interface WrittenBlock {
  readonly whole: UntrustedObject;
  /** What its deltas added up to: the text of it, or the JSON text of its input. */
  readonly text: string;
}

/** Takes `content_block_stop`; undefined where no such block is open. */
export const stopBlock = (message: StreamedMessage, event: UntrustedObject): WrittenBlock | undefined => {
  const index = indexOf(event);
  const block = message.open.get(index);
  if (block === undefined) return undefined;
  message.open.delete(index);
  const text = wholeText(block.text);
  const whole = wholeBlock(block, text);
  message.blocks.push(whole);
  return { whole, text };
};

/** The message as it would have come in one piece, which it is once the upstream said so. */
export const wholeMessage = (message: StreamedMessage): UntrustedObject => ({
  ...message.head,
  ...message.end,
  content: message.blocks,
  // A beginning alone counts the output that was made by then.
  usage: message.isMeasured ? message.usage : undefined,
});
