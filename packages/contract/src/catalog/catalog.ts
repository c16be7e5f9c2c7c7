import { mediaRows } from './catalog-media-rows.ts';
import type { CatalogModel } from './catalog-model.ts';
import { textRows } from './catalog-text-rows.ts';

// catalog:ids:list, catalog:ids:host-replaceable
/** The contract's own models. A host passes another list to replace it.
 * Every row is explicit: no rule derives one id from another. */
export const defaultCatalog: readonly CatalogModel[] = Object.freeze([...textRows, ...mediaRows]);
