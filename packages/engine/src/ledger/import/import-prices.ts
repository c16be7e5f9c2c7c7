import { importLitellm } from './import-litellm.ts';
import { importModelsDev } from './import-models-dev.ts';
import { importOpenrouter } from './import-openrouter.ts';
import type { ImportedPrices, ImportOptions } from './imported-prices.ts';

export type { ImportedPrices, ImportOptions, PriceNote } from './imported-prices.ts';

/** The forms of published lists that can be read. */
export type PriceSource = 'litellm' | 'models.dev' | 'openrouter';

/** Prices of a published list, in credits of one dollar, with every price field by name that has no place in a price list. */
export const importPrices = (
  from: PriceSource,
  list: Readonly<Record<string, unknown>>,
  options: ImportOptions = {},
): ImportedPrices => {
  switch (from) {
    case 'litellm':
      return importLitellm(list, options);
    case 'models.dev':
      return importModelsDev(list, options);
    case 'openrouter':
      return importOpenrouter(list, options);
  }
};
