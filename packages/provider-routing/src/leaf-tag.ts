/** What only the provider that wrote it can read, with that provider's name, so that it finds its way back. */
export interface LeafTag {
  readonly leaf: string;
  readonly text: string;
}

export const writeLeafTag = (leaf: string, text: string): string => JSON.stringify([leaf, text]);

/** Null for a text of another form, which belongs to no member. */
export const readLeafTag = (tag: string): LeafTag | null => {
  try {
    const value: unknown = JSON.parse(tag);
    if (!Array.isArray(value) || value.length !== 2) return null;
    const pair: readonly unknown[] = value;
    const [leaf, text] = pair;
    return typeof leaf === 'string' && typeof text === 'string' ? { leaf, text } : null;
  } catch {
    return null;
  }
};
