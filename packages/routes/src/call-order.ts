import {
  appendText,
  createGrowingText,
  wholeText,
  type CallPiece,
  type FinishReason,
  type FunctionCallPart,
  type GrowingText,
  type OnParts,
  type Part,
} from '@tollgate/provider';
import { createJsonScan, scanJson, type JsonScan } from './json-scan.ts';

/** What a client reads of a call. */
export type WrittenCall = Pick<FunctionCallPart, 'id' | 'name' | 'arguments'>;

/** The next step of one call that is sent while the model writes it. One call has ended before another begins. */
export type CallStep =
  | { readonly kind: 'begun'; readonly id: string; readonly name: string }
  | { readonly kind: 'arguments'; readonly text: string }
  /** The call with all of its arguments: what was not sent of them is the rest. */
  | { readonly kind: 'ended'; readonly call: WrittenCall };

/** Where the parts of a stream go. */
export interface StreamSink {
  /** Parts that are to be sent whole. */
  readonly onParts: OnParts;
  /** Called at the start with what reads the answer so far, in the order in which it is sent. */
  readonly onStart?: ((partsSoFar: () => readonly Part[]) => void) | undefined;
  /** Takes calls step by step; without it calls are parts like others. */
  readonly onCallStep?: ((step: CallStep) => void) | undefined;
  /** Tells, at the end, that a client has read of a call what the model did not write. */
  readonly onBrokenCall?: (() => void) | undefined;
}

/** A call as its last step shows it: white space at the end that was not sent before is left out. */
export const endedCall = ({ id, name, arguments: text }: WrittenCall, sentChars: number): WrittenCall => {
  const isSent = sentChars > 0 && text.slice(sentChars).trim() === '';
  return { id, name, arguments: isSent ? text.slice(0, sentChars) : text };
};

interface PiecedCall {
  readonly id: string;
  readonly name: string;
  /** What came in pieces. */
  readonly text: GrowingText;
  readonly json: JsonScan;
  /** What of it was not sent yet. */
  unsent: string;
  sentChars: number;
  begun: boolean;
  ended: boolean;
  whole: FunctionCallPart | null;
}

/**
 * Brings the pieces of an answer in the order in which a client reads them, which is the order in which the answer is kept: one
 * call after another, and what comes between the pieces of a call after it.
 */
export interface CallOrder {
  readonly sink: StreamSink;
  /** Takes every part of the answer, in that order. */
  readonly keep: OnParts;
  readonly charsMax: number;
  readonly calls: PiecedCall[];
  /** The call whose steps are sent now, and the first call that has not come whole. */
  sending: number;
  kept: number;
  /** Parts that came while a call was being written. */
  held: Part[];
  chars: number;
  broken: boolean;
}

export const createCallOrder = (sink: StreamSink, keep: OnParts, charsMax: number): CallOrder => ({
  sink,
  keep,
  charsMax,
  calls: [],
  sending: 0,
  kept: 0,
  held: [],
  chars: 0,
  broken: false,
});

/** What came of a call that has begun and did not come whole. */
export const unfinishedCalls = ({ calls, kept }: CallOrder): readonly FunctionCallPart[] =>
  calls.slice(kept).flatMap(({ id, name, text, begun, whole }): readonly FunctionCallPart[] => {
    if (!begun) return [];
    return [whole ?? { kind: 'function_call', id, name, arguments: wholeText(text) }];
  });

const step = (order: CallOrder, taken: CallStep): void => {
  if (!order.broken) order.sink.onCallStep?.(taken);
};

/** Arguments that are no object are sent when they are whole: some wires write them in another form. */
const sendUnsent = (order: CallOrder, call: PiecedCall): void => {
  if (!call.begun) step(order, { kind: 'begun', id: call.id, name: call.name });
  call.begun = true;
  if (call.json.kind !== 'object' || call.unsent === '') return;
  step(order, { kind: 'arguments', text: call.unsent });
  call.sentChars += call.unsent.length;
  call.unsent = '';
};

const end = (order: CallOrder, call: PiecedCall, shown: WrittenCall): void => {
  step(order, { kind: 'ended', call: endedCall(shown, call.sentChars) });
  call.ended = true;
  order.sending += 1;
};

/** Sends what can be sent. A call that is complete as JSON makes room for the next one before it comes whole. */
const advance = (order: CallOrder): void => {
  for (let call = order.calls[order.sending]; call !== undefined; call = order.calls[order.sending]) {
    sendUnsent(order, call);
    const isLast = order.sending === order.calls.length - 1;
    if (call.whole !== null) end(order, call, call.whole);
    else if (call.json.complete && !isLast)
      end(order, call, { id: call.id, name: call.name, arguments: wholeText(call.text) });
    else return;
  }
};

/** Whether a whole call is what its pieces began; after the end of its arguments only white space may follow. */
const agrees = (call: PiecedCall, whole: FunctionCallPart): boolean => {
  const text = wholeText(call.text);
  if (whole.name !== call.name || !whole.arguments.startsWith(text)) return false;
  return !call.ended || whole.arguments.slice(text.length).trim() === '';
};

/** Late pieces of a call that has ended belong to its text, and `agrees` judges them. */
const hasGrownAfterEnd = (call: PiecedCall): boolean => call.ended && call.unsent.trim() !== '';

export const takeCallPiece = (order: CallOrder, { id, name, arguments: text }: CallPiece): void => {
  order.chars += id.length + text.length;
  if (order.chars > order.charsMax) order.broken = true;
  if (order.broken) return;
  let call = order.calls.find((each) => each.id === id);
  if (call === undefined) {
    call = {
      id,
      name,
      text: createGrowingText(),
      json: createJsonScan(),
      unsent: '',
      sentChars: 0,
      begun: false,
      ended: false,
      whole: null,
    };
    order.calls.push(call);
  }
  appendText(call.text, text);
  scanJson(call.json, text);
  call.unsent += text;
  if (hasGrownAfterEnd(call)) order.broken = true;
  advance(order);
};

const takeWhole = (order: CallOrder, call: PiecedCall, part: FunctionCallPart): void => {
  if (!agrees(call, part)) order.broken = true;
  call.whole = part;
};

const release = (order: CallOrder): void => {
  for (let call = order.calls[order.kept]; call?.whole; call = order.calls[order.kept]) {
    order.keep([call.whole]);
    order.kept += 1;
  }
  if (order.kept < order.calls.length || order.held.length === 0) return;
  const { held } = order;
  order.held = [];
  order.keep(held);
  order.sink.onParts(held);
};

export const takeOrderedParts = (order: CallOrder, parts: readonly Part[]): void => {
  // The usual case: no call is being written.
  if (order.calls.length === 0) {
    order.keep(parts);
    order.sink.onParts(parts);
    return;
  }
  for (const part of parts) {
    const call = part.kind === 'function_call' ? order.calls.find(({ id }) => id === part.id) : undefined;
    if (call === undefined || part.kind !== 'function_call') order.held.push(part);
    else takeWhole(order, call, part);
  }
  advance(order);
  release(order);
};

/** Ends the order: what waited for a call that never came whole is kept. */
export const finishOrder = (order: CallOrder, finish: FinishReason): void => {
  const isWhole = order.calls.every(({ whole }) => whole !== null);
  for (const { whole } of order.calls.slice(order.kept)) if (whole !== null) order.keep([whole]);
  if (order.held.length > 0) order.keep(order.held);
  order.held = [];
  if (order.broken || (!isWhole && finish === 'stop')) order.sink.onBrokenCall?.();
};
