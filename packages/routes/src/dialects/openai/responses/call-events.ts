import type { CallStep, WrittenCall } from '../../../call-order.ts';
import { customInput } from './read-tools.ts';
import { outputItem, type ItemParts } from './response-items.ts';
import { addItem, endItem, placeOf, writeEvent, type WrittenEvents } from './written-events.ts';

const callItemOf = ({ id, name, arguments: text }: WrittenCall): ItemParts => ({
  kind: 'call',
  call: { kind: 'function_call', id, name, arguments: text },
});

const isCustom = ({ head }: WrittenEvents, item: ItemParts): boolean => 'input' in outputItem(head, item, 0);

const beginCall = (events: WrittenEvents, called: Pick<WrittenCall, 'id' | 'name'>): string => {
  const item = callItemOf({ ...called, arguments: '' });
  events.call = { isCustom: isCustom(events, item), chars: 0 };
  return addItem(events, item, { [events.call.isCustom ? 'input' : 'arguments']: '' });
};

const addArguments = (events: WrittenEvents, text: string): string => {
  // The input of a custom tool is the text in a member of the arguments, which is sent when it is whole.
  if (events.call.isCustom) return '';
  events.call.chars += text.length;
  return writeEvent(events, 'response.function_call_arguments.delta', { ...placeOf(events, 'call'), delta: text });
};

const endCall = (events: WrittenEvents, call: WrittenCall): string => {
  const { isCustom: custom, chars } = events.call;
  const [event, member, text] = custom
    ? ['response.custom_tool_call_input', 'input', customInput(call.arguments)]
    : ['response.function_call_arguments', 'arguments', call.arguments];
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
