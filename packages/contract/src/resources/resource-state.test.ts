import { expect, test } from 'vitest';
import { resourceState, resourceStates, statesByKind } from './resource-state.ts';

test('gives every kind its states and no other [resources:states:by-kind]', () => {
  const sorted = Object.fromEntries(
    Object.entries(statesByKind).map(([kind, states]) => [
      kind,
      resourceStates.filter((state) => states.some((one) => one === state)),
    ]),
  );
  const kept = [
    'preparing',
    'reserved',
    'processing',
    'active',
    'settling',
    'uncertain',
    'failed',
    'expired',
    'deleted',
  ];
  expect(sorted).toEqual({
    file: ['processing', 'active', 'failed', 'expired', 'deleted'],
    cache: kept,
    batch: [
      'preparing',
      'reserved',
      'processing',
      'cancelling',
      'settling',
      'completed',
      'uncertain',
      'failed',
      'deleted',
    ],
    video: [
      'preparing',
      'reserved',
      'processing',
      'settling',
      'completed',
      'uncertain',
      'failed',
      'expired',
      'deleted',
    ],
    store: ['preparing', 'active', 'failed', 'deleted'],
    agent: ['preparing', 'active', 'failed', 'deleted'],
    document: ['preparing', 'reserved', 'processing', 'settling', 'completed', 'uncertain', 'failed', 'deleted'],
    interaction: [
      'preparing',
      'reserved',
      'processing',
      'cancelling',
      'settling',
      'requires_action',
      'completed',
      'uncertain',
      'failed',
      'deleted',
    ],
    environment: kept,
    live: ['preparing', 'reserved', 'processing', 'completed', 'uncertain', 'failed'],
  });
  for (const states of Object.values(statesByKind)) expect(new Set(states).size).toBe(states.length);
});

test('knows twelve states, and none that is called cancelled [resources:states:vocabulary]', () => {
  expect(resourceStates).toEqual([
    'preparing',
    'reserved',
    'processing',
    'active',
    'cancelling',
    'settling',
    'requires_action',
    'completed',
    'uncertain',
    'failed',
    'expired',
    'deleted',
  ]);
});

test('shows what became of the operation of a resource that was usable', () => {
  expect(resourceState('active', 'processing')).toBe('active');
  expect(resourceState('active', 'completed')).toBe('active');
  for (const state of ['settling', 'uncertain', 'failed'] as const) expect(resourceState('active', state)).toBe(state);
  expect(resourceState('expired', 'uncertain')).toBe('expired');
  expect(resourceState('deleted', 'failed')).toBe('deleted');
});
