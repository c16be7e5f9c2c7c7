const special = /[\\\n\r\t]/;
const specials = /[\\\n\r\t]/g;

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A text as a value that COPY reads. */
export const copyText = (value: string): string =>
  special.test(value) ? value.replaceAll(specials, (character) => escapes[character] ?? character) : value;

/** One row as COPY reads it; null is NULL. */
export const copyLine = (values: readonly (string | null)[]): string =>
  `${values.map((value) => value ?? String.raw`\N`).join('\t')}\n`;
