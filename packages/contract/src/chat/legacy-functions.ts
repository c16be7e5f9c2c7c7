import type { WireMessage } from './compat-message.ts';
import { GatewayError } from '../http/gateway-error.ts';

type Named<R extends WireMessage['role']> = Extract<WireMessage, { role: R }>;
/** A message in which a call of a function is a tool call. */
export type ToolMessage = Exclude<WireMessage, { role: 'function' }>;

/** The id of a call that was written without one, by the place of its message: the same body always makes the same call. */
const idAt = (index: number): string => `function_call_${index}`;

/** Turns the calls and results of the older form, which have no ids, into tool calls and tool messages, in order. */
export const createLegacyFunctions = (): ((message: WireMessage, index: number) => ToolMessage) => {
  const calls = new Map<string, string>();
  const toCall = (message: Named<'assistant'>, index: number): ToolMessage => {
    const { function_call: call, ...rest } = message;
    if (call === undefined || call === null) return rest;
    // Where both are there, they are two spellings of one call.
    if ((rest.tool_calls ?? []).length > 0) return rest;
    const id = idAt(index);
    calls.set(call.name, id);
    return { ...rest, tool_calls: [{ id, type: 'function', function: call }] };
  };
  const toResult = ({ name, content }: Named<'function'>, index: number): ToolMessage => {
    const id = calls.get(name);
    if (id === undefined)
      throw new GatewayError('invalid_messages', {
        detail: `The message messages[${index}] is the result of a function that no earlier function_call names; accepted are results of functions that were called.`,
      });
    return { role: 'tool', tool_call_id: id, content: content ?? '' };
  };
  return (message, index) => {
    if (message.role === 'assistant') return toCall(message, index);
    return message.role === 'function' ? toResult(message, index) : message;
  };
};
