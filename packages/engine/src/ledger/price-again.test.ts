import type { BatchItemRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { operationRecord } from '../../test/decision-world.ts';
import { priceAgain } from './price-again.ts';
import { parseTariff } from './tariff.ts';

const item = (place: number, quantity: number): BatchItemRecord => ({
  id: `i${place}`,
  batchId: 'o1',
  place,
  key: String(place),
  state: 'completed',
  usage: [{ unit: 'input_text_tokens', quantity }],
  attempts: [],
  errorCode: null,
  answer: '{}',
  answerBytes: 2,
  updatedAtMs: 1,
});

test('a batch costs its minimum where one of its items used anything, and nothing where none did', () => {
  const models = { m: { perMillion: { input_text_tokens: '1' }, chargeMinimum: '0.000009' } };
  const list = parseTariff({ version: 't2', models });
  const batch = operationRecord({ kind: 'batch', state: 'completed' });
  const price = (...items: readonly BatchItemRecord[]) => priceAgain(list, batch, items);
  expect(price(item(0, 0), item(1, 0))).toEqual({ kind: 'priced', picos: 0n });
  expect(price(item(0, 0), item(1, 3))).toEqual({ kind: 'priced', picos: 9_000_000n });
  expect(price(item(0, 7), item(1, 6))).toEqual({ kind: 'priced', picos: 13_000_000n });
});
