/** What a service answered, read without trust: each is undefined where the value is of another kind. */
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  // An object that is no list has members by name; what they are stays unknown.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Text on one line, cut to a length. */
export const asText = (value: unknown, charactersMax: number): string | undefined =>
  typeof value === 'string' && value.trim() !== ''
    ? value.replaceAll(/\s+/gu, ' ').trim().slice(0, charactersMax).toWellFormed()
    : undefined;

export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
