const special = /["\\]/;
const specials = /["\\]/g;

const textElement = (value: string | null): string => {
  if (value === null) return 'NULL';
  return special.test(value) ? `"${value.replaceAll(specials, String.raw`\$&`)}"` : `"${value}"`;
};

/** Texts as one PostgreSQL array parameter. */
export const textArray = (values: readonly (string | null)[]): string => `{${values.map(textElement).join(',')}}`;

/** Texts without any character that means something in an array, such as numbers, as one PostgreSQL array parameter. */
export const plainArray = (values: readonly (string | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;
