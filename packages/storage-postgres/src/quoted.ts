/** A name as SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
