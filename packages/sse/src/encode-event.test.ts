import { expect, test } from 'vitest';
import { doneEvent, encodeEvent } from './encode-event.ts';

test('closes every event with a blank line [stream:sse:blank-line]', () => {
  expect(encodeEvent({ data: '{"a":1}' })).toBe('data: {"a":1}\n\n');
  expect(encodeEvent({ data: '' })).toBe('data: \n\n');
  expect(encodeEvent({ event: 'error', data: 'x', id: '7', retry: 1500 })).toBe(
    'event: error\nid: 7\nretry: 1500\ndata: x\n\n',
  );
  expect(doneEvent).toBe(encodeEvent({ data: '[DONE]' }));
});

test('writes one data line for each line of text, whatever ended it', () => {
  expect(encodeEvent({ data: 'a\nb\r\nc\rd\n' })).toBe('data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n');
  expect(encodeEvent({ data: 'a\u2028b\u0085c\u000bd' })).toBe('data: a\u2028b\u0085c\u000bd\n\n');
});

test.each(['a\nb', 'a\rb', '\r\n', 'a\n'])('refuses the line break in the event name or id %j', (text) => {
  expect(() => encodeEvent({ event: text, data: '' })).toThrow(TypeError);
  expect(() => encodeEvent({ id: text, data: '' })).toThrow(TypeError);
});

test('refuses an id with NUL, which every reader would ignore', () => {
  expect(() => encodeEvent({ id: 'a\0', data: '' })).toThrow('without NUL');
  expect(encodeEvent({ event: 'a\0', data: '' })).toBe('event: a\0\ndata: \n\n');
});

test.each([-1, 1.5, Number.NaN, Infinity, 2 ** 60])('refuses the retry %d', (retry) => {
  expect(() => encodeEvent({ data: '', retry })).toThrow(RangeError);
});
