import { operationStates } from '@tollgate/contract';
import { expect, test } from 'vitest';
import { refuseUnfinished } from './refuse-unfinished.ts';

test('lets nothing but a completed operation be gone on from, and has clients wait only for what goes on', () => {
  expect([...operationStates, undefined].map((state) => [state, refuseUnfinished(state)])).toEqual([
    ['preparing', 'request_in_progress'],
    ['reserved', 'request_in_progress'],
    ['processing', 'request_in_progress'],
    ['cancelling', 'request_in_progress'],
    ['settling', 'request_in_progress'],
    ['completed', null],
    ['uncertain', 'settlement_pending'],
    ['failed', 'previous_request_failed'],
    [undefined, 'request_in_progress'],
  ]);
});
