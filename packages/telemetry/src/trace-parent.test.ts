import { expect, test } from 'vitest';
import { fromTraceParent, toTraceParent } from './trace-parent.ts';

const text = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('reads what it writes', () => {
  const context = fromTraceParent(text);
  expect(context).toEqual({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    traceFlags: 1,
    isRemote: true,
  });
  expect(context && toTraceParent(context)).toBe(text);
});

test.each([
  null,
  '',
  'x',
  `${text}-more`,
  text.toUpperCase(),
  '00-00000000000000000000000000000000-b7ad6b7169203331-01',
  '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
  'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
])('finds no span in %j', (header) => {
  expect(fromTraceParent(header)).toBeNull();
});
