import { NotExecuted, UnknownOutcome, type GenerationEnd, type Part, type Provider } from '@tollgate/provider';
import type { ProviderFault } from '../provider-fault.ts';

type GenerateStream = NonNullable<Provider['generateStream']>;

const streaming =
  (change: (stream: GenerateStream) => GenerateStream): ProviderFault['wrap'] =>
  (right) =>
    right.generateStream === undefined ? right : { ...right, generateStream: change(right.generateStream.bind(right)) };

/** Keeps every piece until the end. */
const buffering: ProviderFault['wrap'] = streaming((stream) => async (call, context, onParts) => {
  const kept: Part[] = [];
  const end = await stream(call, context, (parts) => void kept.push(...parts));
  if (kept.length > 0) onParts(kept);
  return end;
});

/** What a stream that was cut would look like if it had ended. */
const wholeEnd: GenerationEnd = { finish: 'stop', usage: [] };

/** What only a stream can do wrong. */
export const streamFaults: readonly ProviderFault[] = [
  {
    name: 'loses the last piece of a text',
    failsCase: 'as a stream: comes to the text that it answers otherwise',
    wrap: streaming((stream) => (call, context, onParts) => {
      let first = true;
      return stream(call, context, (parts) => {
        if (first) onParts(parts);
        first = false;
      });
    }),
  },
  {
    name: 'hands a piece over twice',
    failsCase: 'as a stream: comes to the calls that it proposes otherwise',
    wrap: streaming(
      (stream) => (call, context, onParts) =>
        stream(call, context, (parts) => {
          onParts(parts);
          onParts(parts.map((part) => (part.kind === 'function_call' ? { ...part, id: `${part.id} again` } : part)));
        }),
    ),
  },
  {
    name: 'reports arguments of a call that it does not have',
    failsCase: 'as a stream: comes to the calls that it proposes otherwise',
    breaks: 'P5',
    wrap: streaming(
      (stream) => (call, context, onParts, onCallPiece) =>
        stream(call, context, (parts) => {
          for (const part of parts)
            if (part.kind === 'function_call')
              onCallPiece?.({ kind: 'call_piece', id: part.id, name: part.name, arguments: `${part.arguments} ` });
          onParts(parts);
        }),
    ),
  },
  {
    name: 'begins a call that it never hands over',
    failsCase: 'as a stream: comes to the calls that it proposes otherwise',
    breaks: 'P5',
    wrap: streaming((stream) => (call, context, onParts, onCallPiece) => {
      onCallPiece?.({ kind: 'call_piece', id: 'begun', name: 'get_weather', arguments: '' });
      return stream(call, context, onParts);
    }),
  },
  {
    name: 'waits for the whole answer before it hands anything over',
    failsCase:
      'as a stream: hands a piece over while more is to come, and leaves the outcome unknown when it is given up',
    wrap: buffering,
  },
  {
    name: 'asks again for a stream that was cut early',
    failsCase: 'as a stream: leaves the outcome unknown when it is cut before its first piece',
    wrap: streaming(
      (stream) => (call, context, onParts) =>
        stream(call, context, onParts).catch(() => stream(call, context, onParts)),
    ),
  },
  {
    name: 'takes a cut for an end',
    failsCase: 'as a stream: leaves the outcome unknown when it is cut between two pieces',
    wrap: streaming((stream) => (call, context, onParts) => stream(call, context, onParts).catch(() => wholeEnd)),
  },
  {
    name: 'forgets what a stream that was cut had used',
    failsCase: 'as a stream: says of one that is cut what had been used by then, and invents nothing',
    wrap: streaming(
      (stream) => (call, context, onParts) =>
        stream(call, context, onParts).catch(() => Promise.reject(new UnknownOutcome('connection_lost'))),
    ),
  },
  {
    name: 'frees the credits of a text that was cut at its end',
    failsCase: 'as a stream: leaves the outcome unknown when it is cut before it said how it ended',
    breaks: 'P16',
    wrap: streaming(
      (stream) => (call, context, onParts) =>
        stream(call, context, onParts).catch(() => Promise.reject(new NotExecuted({ reason: 'failed' }))),
    ),
  },
  {
    name: 'frees the credits of an answer that failed midway',
    failsCase: 'as a stream: leaves the outcome unknown when the upstream fails after a piece',
    wrap: streaming(
      (stream) => (call, context, onParts) =>
        stream(call, context, onParts).catch(() => Promise.reject(new NotExecuted({ reason: 'failed' }))),
    ),
  },
  {
    name: 'goes on handing over after the end',
    failsCase: 'as a stream: returns a text with confirmed usage',
    breaks: 'P24',
    wrap: streaming((stream) => async (call, context, onParts) => {
      const end = await stream(call, context, onParts);
      queueMicrotask(() => queueMicrotask(() => onParts([{ kind: 'text', text: 'late' }])));
      return end;
    }),
  },
  {
    name: 'hands over nothing, and often',
    failsCase: 'as a stream: returns a text with confirmed usage',
    breaks: 'P24',
    wrap: streaming((stream) => (call, context, onParts) => {
      onParts([]);
      return stream(call, context, onParts);
    }),
  },
  {
    name: 'hands something over a little after the end',
    failsCase: 'as a stream: hands nothing over after its end',
    wrap: streaming((stream) => async (call, context, onParts) => {
      const end = await stream(call, context, onParts);
      setTimeout(() => onParts([{ kind: 'text', text: 'late' }]), 20);
      return end;
    }),
  },
  {
    name: 'takes the first count of its tokens for the whole',
    failsCase: 'as a stream: takes the last count of its tokens for the whole',
    wrap: streaming((stream) => async (call, context, onParts) => {
      const end = await stream(call, context, onParts);
      const usage = end.usage.map((each) => (each.unit === 'output_text_tokens' ? { ...each, quantity: 1 } : each));
      return { ...end, usage };
    }),
  },
  {
    name: 'takes the end of a connection for the end of an answer',
    failsCase: 'as a stream: leaves the outcome unknown when it ends cleanly before it said how it ended',
    wrap: streaming((stream) => (call, context, onParts) => stream(call, context, onParts).catch(() => wholeEnd)),
  },
  {
    name: 'releases a call that the upstream refused after it began',
    failsCase: 'as a stream: leaves the outcome unknown when the upstream fails after it began, before a piece',
    wrap: streaming(
      (stream) => (call, context, onParts) =>
        stream(call, context, onParts).catch(() => Promise.reject(new NotExecuted({ reason: 'unavailable' }))),
    ),
  },
  {
    name: 'hands the words of an error over before it throws',
    failsCase: 'as a stream: leaves the outcome unknown when the upstream fails after a piece',
    breaks: 'P18',
    wrap: streaming(
      (stream) => (call, context, onParts) =>
        stream(call, context, onParts).catch((failure: unknown) => {
          onParts([{ kind: 'text', text: 'the backend fell over' }]);
          throw failure;
        }),
    ),
  },
];
