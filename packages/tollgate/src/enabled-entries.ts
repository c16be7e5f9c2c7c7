import { defaultCatalog, type CatalogModel } from '@tollgate/contract';
import type { GatewayOptions } from './gateway-options.ts';

/** The rows that the host means to sell. */
export const enabledEntries = ({
  catalog = defaultCatalog,
  enabledModels,
}: Pick<GatewayOptions, 'catalog' | 'enabledModels'>): readonly CatalogModel[] =>
  enabledModels === undefined ? catalog : catalog.filter(({ id }) => enabledModels.includes(id));
