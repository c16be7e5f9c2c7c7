import { listPrices, parseTariff, priceOf } from '@tollgate/engine';
import { usageUnits } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { testModeTariff } from './test-mode-tariff.ts';

test('has a price of its own for every unit', () => {
  const tariff = listPrices(parseTariff(testModeTariff), 'any');
  if (tariff === null) throw new Error('no tariff');
  for (const unit of usageUnits) {
    expect(tariff.picosPerUnit.has(unit), unit).toBe(true);
    expect(priceOf(tariff, [{ unit, quantity: 1 }], 'up'), unit).not.toBeNull();
  }
});
