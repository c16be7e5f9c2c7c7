import { expect, test } from 'vitest';
import { interactionState } from './interaction-state.ts';

test.each([
  ['preparing', null, 'in_progress'],
  ['reserved', null, 'in_progress'],
  ['processing', null, 'in_progress'],
  ['cancelling', null, 'in_progress'],
  ['settling', null, 'in_progress'],
  ['requires_action', null, 'requires_action'],
  ['completed', null, 'completed'],
  ['failed', 'request_failed', 'failed'],
  ['failed', 'cancelled', 'cancelled'],
  ['uncertain', 'settlement_pending', 'uncertain'],
] as const)('tells an interaction that is %s with the code %s as %s', (state, code, word) => {
  expect(interactionState(state, code)).toBe(word);
});
