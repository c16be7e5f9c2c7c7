import { mediaRows } from './catalog-media-rows.ts';
import type { CatalogModel } from './catalog-model.ts';
import { textRows } from './catalog-text-rows.ts';

/** The contract's own models [catalog:ids:list]. A host passes another list to replace it [catalog:ids:host-replaceable].
 * Every row is explicit: no rule derives one id from another. */
export const defaultCatalog: readonly CatalogModel[] = Object.freeze([...textRows, ...mediaRows]);
