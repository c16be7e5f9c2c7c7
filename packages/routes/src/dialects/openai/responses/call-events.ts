import type { CallStep, WrittenCall } from '../../../call-order.ts';
import { createInputScan, customInput, readInputPiece } from './custom-input.ts';
import { outputItem, type ItemParts } from './response-items.ts';
import { addItem, endItem, placeOf, writeEvent, type WrittenEvents } from './written-events.ts';

const callItemOf = ({ id, name, arguments: text }: WrittenCall): ItemParts => ({
  kind: 'call',
  call: { kind: 'function_call', id, name, arguments: text },
});

const isCustom = ({ head }: WrittenEvents, item: ItemParts): boolean => 'input' in outputItem(head, item, 0);

const beginCall = (events: WrittenEvents, called: Pick<WrittenCall, 'id' | 'name'>): string => {
  const item = callItemOf({ ...called, arguments: '' });
  const custom = isCustom(events, item);
  events.call = { input: custom ? createInputScan() : null, chars: 0 };
  return addItem(events, item, { [custom ? 'input' : 'arguments']: '' });
};

/** The names of the events of a call, and of the member that holds what the model wrote. */
const wordsOf = ({ call }: WrittenEvents) =>
  call.input === null
    ? (['response.function_call_arguments', 'arguments'] as const)
    : (['response.custom_tool_call_input', 'input'] as const);

/** The input of a custom tool is the text in a member of the arguments. */
const addArguments = (events: WrittenEvents, text: string): string => {
  const { input } = events.call;
  const delta = input === null ? text : readInputPiece(input, text);
  if (delta === '') return '';
  events.call.chars += delta.length;
  const [event] = wordsOf(events);
  return writeEvent(events, `${event}.delta`, { ...placeOf(events, 'call'), delta });
};

const endCall = (events: WrittenEvents, call: WrittenCall): string => {
  const { input, chars } = events.call;
  const [event, member] = wordsOf(events);
  const text = input === null ? call.arguments : customInput(call.arguments);
  const rest = text.slice(chars);
  const place = placeOf(events, 'call');
  const last = rest === '' && chars > 0 ? '' : writeEvent(events, `${event}.delta`, { ...place, delta: rest });
  return (
    last +
    writeEvent(events, `${event}.done`, { ...place, name: call.name, [member]: text }) +
    endItem(events, callItemOf(call))
  );
};

/** The events of one step of a call; what came before it has ended. */
export const writeCallStep = (events: WrittenEvents, step: CallStep): string => {
  switch (step.kind) {
    case 'begun':
      return beginCall(events, step);
    case 'arguments':
      return addArguments(events, step.text);
    case 'ended':
      return endCall(events, step.call);
  }
};

/** The events of a call that came whole. */
export const writeCall = (events: WrittenEvents, call: WrittenCall): string =>
  beginCall(events, call) + endCall(events, call);
