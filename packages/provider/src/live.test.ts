import { expect, test } from 'vitest';
import { createLiveEvents } from './live.ts';

test('tells events in order, and none after the last', () => {
  const { emit, onEvent } = createLiveEvents();
  const seen: string[] = [];
  emit({ kind: 'usage', usage: [] });
  onEvent(({ kind }) => void seen.push(kind));
  emit({ kind: 'closed', cause: 'ended', measured: true });
  emit({ kind: 'usage', usage: [] });
  expect(seen).toEqual(['usage', 'closed']);
});
