/** The SQL name of a field or table: `createdAtMs` is `created_at_ms`. */
export const columnName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
