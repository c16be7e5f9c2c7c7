import type { CatalogModel } from '@tollgate/contract';
import { faultAt, memberPlace, type ConfigurationFault } from '@tollgate/contract/configuration';
import { batchPrices, type ModelTariff } from './model-prices.ts';
import { listPrices, type Tariff } from './tariff.ts';
import { makesImages } from './unit-bounds.ts';

const costImages = ({ picosPerUnit }: ModelTariff): boolean => (picosPerUnit.get('images') ?? 0n) > 0n;

/** Whether images cost something, directly or as items of a batch. */
const pricesImages = (tariff: Tariff, { id }: CatalogModel): boolean => {
  const sheet = listPrices(tariff, id);
  return sheet !== null && (costImages(sheet) || costImages(batchPrices(sheet)));
};

/**
 * What keeps every call of a model from being bounded: images have a price, and the entry of a model that makes images does not
 * say how many one answer has. The fault names the row, the unit and what to write; `place` is where the row stands.
 */
export const unitBoundFaults = (tariff: Tariff, row: CatalogModel, place: string): readonly ConfigurationFault[] =>
  makesImages(row) && row.unitsMax?.['images'] === undefined && pricesImages(tariff, row)
    ? faultAt(
        memberPlace(memberPlace(place, 'unitsMax'), 'images'),
        `is missing in the row of '${row.id}', and the tariff prices images`,
        'is a whole number of at least 0, the most images of one answer',
      )
    : [];
