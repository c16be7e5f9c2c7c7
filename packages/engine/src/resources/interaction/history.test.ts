import { expect, test } from 'vitest';
import { chainAfter, isTooLong } from './history.ts';
import { defaultInteractionLimits } from './interaction-limits.ts';
import type { EndedInteraction } from './interaction-work.ts';

const ended: EndedInteraction = {
  phase: 'ended',
  previousId: null,
  depth: 2,
  bytes: 100,
  author: { provider: 'p', upstreamModel: 'm' },
  ending: 'completed',
  input: { kind: 'blob', blobKey: 'b1', sizeBytes: 30 },
  steps: { kind: 'inline', value: [] },
  reference: null,
  givenBlobs: [],
  media: [],
};

test('what continues an interaction is one deeper, and carries the bytes of all before it', () => {
  expect(chainAfter('i1', ended)).toEqual({ previousId: 'i1', depth: 3, bytes: 132 });
});

test('a history is too long beyond its bounds, and not at them', () => {
  const limits = { ...defaultInteractionLimits, historyInteractionsMax: 3, historyBytesMax: 132 };
  expect(isTooLong({ previousId: 'i1', depth: 3, bytes: 132 }, limits)).toBe(false);
  expect(isTooLong({ previousId: 'i1', depth: 4, bytes: 132 }, limits)).toBe(true);
  expect(isTooLong({ previousId: 'i1', depth: 3, bytes: 133 }, limits)).toBe(true);
});
