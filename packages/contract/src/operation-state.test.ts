import { expect, test } from 'vitest';
import { canMove, isEnded, operationStates, requestStatus, requestStatuses, transitions } from './operation-state.ts';

const allowed: Readonly<Record<string, readonly string[]>> = {
  preparing: ['reserved', 'failed', 'cancelling'],
  reserved: ['processing', 'failed', 'cancelling'],
  processing: ['cancelling', 'settling', 'completed', 'failed', 'uncertain'],
  cancelling: ['settling', 'completed', 'failed', 'uncertain'],
  settling: ['completed', 'failed', 'uncertain'],
  completed: [],
  uncertain: ['completed', 'failed'],
  failed: [],
};

test('allows the decided moves and refuses every other pair [requests:move:no-others]', () => {
  for (const from of operationStates) {
    for (const to of operationStates) {
      expect(canMove(from, to), `${from} to ${to}`).toBe(allowed[from]?.includes(to));
    }
  }
});

test('names each move once', () => {
  const pairs = transitions.map(({ from, to }) => `${from}>${to}`);
  expect(new Set(pairs).size).toBe(pairs.length);
});

test('debits only on the way to completed and never on the way to failed', () => {
  for (const { from, to, ledgerEffect } of transitions) {
    expect(ledgerEffect === 'settle', `${from} to ${to}`).toBe(to === 'completed');
  }
  const failing = transitions.filter(({ to }) => to === 'failed');
  expect(failing.map(({ from, ledgerEffect }) => `${from} ${ledgerEffect}`)).toEqual([
    'preparing none',
    'reserved release',
    'processing release',
    'cancelling release',
    'settling release',
    'uncertain release',
  ]);
});

test('keeps the hold on every move into uncertain', () => {
  const effects = transitions.filter(({ to }) => to === 'uncertain').map(({ ledgerEffect }) => ledgerEffect);
  expect(effects).toEqual(['none', 'none', 'none']);
});

test('ends in completed and failed only', () => {
  expect(operationStates.filter((state) => isEnded(state))).toEqual(['completed', 'failed']);
});

test('shows six statuses, cancelling and settling as processing [requests:record:states]', () => {
  expect(requestStatuses).toEqual(['preparing', 'reserved', 'processing', 'completed', 'uncertain', 'failed']);
  expect(operationStates.map((state) => requestStatus(state))).toEqual([
    'preparing',
    'reserved',
    'processing',
    'processing',
    'processing',
    'completed',
    'uncertain',
    'failed',
  ]);
});
