import { expect, test } from 'vitest';
import { readEvents } from './read-events.ts';

test('reads names and data of events, whichever way lines end', () => {
  const text = 'data: {"a":1}\r\n\r\nevent: error\r\ndata: x\r\ndata: y\r\n\r\n: a comment\n\ndata: [DONE]\n\n';
  expect(readEvents(text)).toEqual([
    { event: null, data: '{"a":1}' },
    { event: 'error', data: 'x\ny' },
    { event: null, data: '[DONE]' },
  ]);
});
