import type { FinishReason, FunctionCallPart, Part } from '@tollgate/provider';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCallOrder, finishOrder, takeCallPiece, takeOrderedParts } from './call-order.ts';

type Taken =
  | Part
  | { readonly kind: 'call_piece'; readonly id: string; readonly name: string; readonly arguments: string };

const piece = (id: string, text: string): Taken => ({ kind: 'call_piece', id, name: `f-${id}`, arguments: text });
const whole = (id: string, text: string): FunctionCallPart => ({
  kind: 'function_call',
  id,
  name: `f-${id}`,
  arguments: text,
  context: `c-${id}`,
});
const text = (words: string): Part => ({ kind: 'text', text: words });

interface Run {
  /** What was sent: `[a` begins a call, `]a` ends it; texts in quotes. */
  readonly sent: string;
  readonly kept: readonly Part[];
  readonly broken: boolean;
}

const run = (taken: readonly Taken[], finish: FinishReason = 'stop', charsMax = 1_000): Run => {
  const sent: string[] = [];
  const kept: Part[] = [];
  let broken = false;
  const order = createCallOrder(
    {
      onParts: (parts) => {
        for (const part of parts) sent.push(part.kind === 'text' ? `"${part.text}"` : `<${part.kind}>`);
      },
      onCallStep: (step) => {
        if (step.kind === 'begun') sent.push(`[${step.id}`);
        else sent.push(step.kind === 'arguments' ? step.text : `]${step.call.id}=${step.call.arguments}`);
      },
      onBrokenCall: () => {
        broken = true;
      },
    },
    (parts) => void kept.push(...parts),
    charsMax,
  );
  for (const each of taken) {
    if (each.kind === 'call_piece') takeCallPiece(order, each);
    else takeOrderedParts(order, [each]);
  }
  finishOrder(order, finish);
  return { sent: sent.join(' '), kept, broken };
};

test('sends the arguments of a call as they come, and ends it when it is whole', () => {
  const taken = [text('So'), piece('a', ''), piece('a', '{"x"'), piece('a', ':1}'), whole('a', '{"x":1}'), text('!')];
  expect(run(taken)).toEqual({
    sent: '"So" [a {"x" :1} ]a={"x":1} "!"',
    kept: [text('So'), whole('a', '{"x":1}'), text('!')],
    broken: false,
  });
});

test('sends one call after another where the upstream alternates, and keeps them in that order', () => {
  const taken = [
    piece('a', '{"x"'),
    piece('b', '{"y"'),
    text('said between'),
    piece('a', ':1}'),
    piece('b', ':2}'),
    whole('a', '{"x":1}'),
    whole('b', '{"y":2}'),
  ];
  expect(run(taken)).toEqual({
    sent: '[a {"x" :1} ]a={"x":1} [b {"y" :2} ]b={"y":2} "said between"',
    kept: [whole('a', '{"x":1}'), whole('b', '{"y":2}'), text('said between')],
    broken: false,
  });
});

test('does not wait for a whole call where its arguments are complete, also if white space follows', () => {
  const taken = [piece('a', '{"}":"\\"{"}'), piece('b', '{'), piece('a', '\n'), piece('b', '}')];
  const { sent, broken } = run([...taken, whole('a', '{"}":"\\"{"}\n'), whole('b', '{}')]);
  expect(sent).toBe('[a {"}":"\\"{"} ]a={"}":"\\"{"} [b { } ]b={}');
  expect(broken).toBe(false);
});

test('leaves arguments that are no object to the whole call', () => {
  expect(run([piece('a', '[1'), piece('a', ']'), whole('a', '[1]')]).sent).toBe('[a ]a=[1]');
});

test('says so where a client has read what the model did not write', () => {
  const begun = piece('a', '{"x"');
  expect(run([begun, whole('a', '{"y":1}')]).broken).toBe(true);
  expect(run([begun, { ...whole('a', '{"x":1}'), name: 'other' }]).broken).toBe(true);
  expect(
    run([piece('a', '{}'), piece('b', '{'), piece('a', 'more'), whole('a', '{}more'), whole('b', '{}')]).broken,
  ).toBe(true);
  expect(run([begun]).broken).toBe(true);
  expect(run([begun], 'length').broken).toBe(false);
  expect(run([begun], 'content_filter').broken).toBe(false);
});

test('keeps the whole parts whatever the pieces said', () => {
  const taken = [piece('a', '{"x"'), text('t'), whole('b', '{}'), whole('a', '{"y":1}')];
  expect(run(taken).kept).toEqual([whole('a', '{"y":1}'), text('t'), whole('b', '{}')]);
  expect(run([piece('a', '{'), text('t')], 'length').kept).toEqual([text('t')]);
});

test('keeps no more than its bound of pieces', () => {
  const { sent, broken } = run([piece('a', '{"x":"'), piece('a', 'y'.repeat(60)), piece('a', 'z')], 'stop', 50);
  expect(broken).toBe(true);
  expect(sent).toBe('[a {"x":"');
});

const callText = fc.json().map((json) => `{"v": ${json}}`);

test('loses nothing, whatever the order of the pieces', () => {
  const scenario = fc.tuple(fc.array(callText, { minLength: 1, maxLength: 4 }), fc.infiniteStream(fc.nat()));
  fc.assert(
    fc.property(scenario, ([texts, numbers]) => {
      const next = (below: number): number => Number(numbers.next().value) % below;
      const calls = texts.map((json, index) => ({ id: `${index}`, json, at: 0 }));
      const taken: Taken[] = calls.map(({ id }) => piece(id, ''));
      while (calls.some(({ json, at }) => at < json.length)) {
        const open = calls.filter(({ json, at }) => at < json.length);
        const call = open[next(open.length)];
        if (call === undefined) break;
        const to = call.at + 1 + next(5);
        taken.push(piece(call.id, call.json.slice(call.at, to)));
        call.at = to;
      }
      const wholes = calls.map(({ id, json }) => whole(id, json));
      const { sent, kept, broken } = run([...taken, ...wholes], 'stop', 100_000);
      expect(broken).toBe(false);
      expect(kept).toEqual(wholes);
      const ends = calls.map(({ id, json }) => `]${id}=${json}`);
      expect(ends.every((end) => sent.includes(end))).toBe(true);
      expect(sent.indexOf('[0')).toBe(0);
    }),
  );
});
