/** The mark of the version that clients of this wire add to a name by habit. */
const latest = /:latest$/;

/** The name of a model without the mark. */
export const modelName = (name: string): string => name.replace(latest, '');
