import { defaultCatalog, type CatalogModel } from '@tollgate/contract';
import type { GatewayOptions } from './gateway-options.ts';

/** The rows that the host means to sell. */
export const releasedRows = ({
  catalog = defaultCatalog,
  released,
}: Pick<GatewayOptions, 'catalog' | 'released'>): readonly CatalogModel[] =>
  released === undefined ? catalog : catalog.filter(({ id }) => released.includes(id));
