/** The word on the wire that a host replaces: the response key, the webhook headers and the automatic model. */
export const defaultBrand = 'service';

// versioning:brand:auto-model
/** The id that selects a model automatically and never counts as a mismatch. */
export const autoModelId = (brand: string): string => `${brand}-auto`;
