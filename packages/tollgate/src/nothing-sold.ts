import type { Logger } from '@tollgate/engine';
import type { Models } from '@tollgate/routes';

/** Of each model of the catalog that cannot be called, why not: the first reason that holds. */
const reasonOf = (models: Models, row: Models['rows'][number]): 'not_released' | 'no_tariff' | 'no_provider' | null => {
  if (!models.isEnabled(row)) return 'not_released';
  if (!models.isPriced(row)) return 'no_tariff';
  return models.providerOf(row) === null ? 'no_provider' : null;
};

/** A gateway that can call no model refuses every charged request: one line at the start says so. */
export const warnIfNothingIsSold = (models: Models, logger: Logger): void => {
  const reasons = models.rows.map((row) => reasonOf(models, row));
  if (reasons.includes(null)) return;
  const count = (reason: string): number => reasons.filter((each) => each === reason).length;
  logger.warn('no model can be called: every charged request will be refused', {
    code: 'nothing_sold',
    no_tariff: count('no_tariff'),
    no_provider: count('no_provider'),
    not_released: count('not_released'),
  });
};
