import type { CatalogModel } from '@tollgate/contract';
import { listPrices, priceHoles, type Engine, type Logger, type PriceHole, type Tariff } from '@tollgate/engine';
import { liveKindOf } from '@tollgate/routes';

/** Models that one log line names. */
const modelsNamedMax = 50;

/** Where a price list leaves a model unsold. */
export const holesOf = (tariff: Tariff, row: CatalogModel): readonly PriceHole[] =>
  priceHoles(row, { tariff: listPrices(tariff, row.id), liveKind: liveKindOf(row) });

interface Unsold {
  readonly model: string;
  readonly holes: readonly PriceHole[];
}

const logUnsold = (logger: Logger, unsold: readonly Unsold[]): void => {
  const fields = (some: readonly Unsold[]) => ({
    count: some.length,
    models: some.slice(0, modelsNamedMax).map(({ model, holes }) => {
      const reasons = holes.map(({ family, unit, reason }) => `${family}: ${unit === null ? '' : `${unit} `}${reason}`);
      return `${model} (${reasons.join(', ')})`;
    }),
  });
  const isUnlisted = ({ holes }: Unsold): boolean => holes.every(({ reason }) => reason === 'no_tariff');
  const [unlisted, holed] = [unsold.filter(isUnlisted), unsold.filter((each) => !isUnlisted(each))];
  if (unlisted.length > 0)
    logger.info('models are not available: the price list does not have them', {
      code: 'no_tariff',
      count: unlisted.length,
      models: unlisted.slice(0, modelsNamedMax).map(({ model }) => model),
    });
  if (holed.length > 0)
    logger.warn('every call of these is refused: the price list has holes', { code: 'price_holes', ...fields(holed) });
};

/** The models that a list keeps from being sold on any route. */
const unavailableBy = (rows: readonly CatalogModel[], tariff: Tariff, logger: Logger): ReadonlySet<string> => {
  const unsold = rows.flatMap((row): readonly Unsold[] => {
    const holes = holesOf(tariff, row);
    return holes.length === 0 ? [] : [{ model: row.id, holes }];
  });
  logUnsold(logger, unsold);
  const familiesOf = new Map(rows.map(({ id, routes }) => [id, routes.length]));
  return new Set(unsold.filter(({ model, holes }) => holes.length === familiesOf.get(model)).map(({ model }) => model));
};

/**
 * Which rows can be sold on some route by the list that holds, found out once for each list; what cannot is logged at the start, with
 * the unit that keeps it from it.
 */
export const pricedModels = (
  rows: readonly CatalogModel[],
  lists: Engine['policy']['priceLists'],
  logger: Logger,
): ((row: CatalogModel) => boolean) => {
  const unavailable = new Map(lists.all.map((list) => [list.version, unavailableBy(rows, list, logger)]));
  return ({ id }) => unavailable.get(lists.current().version)?.has(id) !== true;
};
