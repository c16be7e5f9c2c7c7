import type { FieldNames, RawRow } from './import-row.ts';

/** What an export of another gateway becomes. */
export interface ExportedRows {
  readonly rows: readonly RawRow[];
  /** Keys that are not taken, as they open nothing any more. */
  readonly skipped: readonly string[];
  /** What bounds a key or an account there and has no place here, by its place and name. */
  readonly leftOut: readonly string[];
  /** What has another shape than the export's, so that what it bounds is not known: nothing is written where there is one. */
  readonly refused?: readonly string[] | undefined;
  /** What the export calls the fields of a row; a field that is not here has the same name there. */
  readonly names?: FieldNames;
}

export interface ExportDraft {
  readonly rows: RawRow[];
  readonly skipped: string[];
  readonly leftOut: string[];
  readonly refused: string[];
}

const placeCharsMax = 80;

/** A place with what people know it by beside it, such as `keys[0] (server)`. */
export const namedPlace = ({ place, fields }: RawRow, ...names: readonly string[]): string => {
  const known = names.map((name) => valueOf(fields, name)).find((value) => value !== undefined);
  return known === undefined ? place : `${place} (${String(known).slice(0, placeCharsMax)})`;
};

export const emptyExport = (): ExportDraft => ({ rows: [], skipped: [], leftOut: [], refused: [] });

/** A text or a number of an export, or undefined. */
export const valueOf = (fields: RawRow['fields'], name: string): string | number | undefined => {
  const value = fields[name];
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

const microsPerDollar = 1_000_000;

/** Dollars of an export, which are binary fractions there, as credits with six decimals. */
const creditsText = (dollars: number): string => (Math.round(dollars * microsPerDollar) / microsPerDollar).toFixed(6);

/** What is left of a limit: never less than nothing. */
export const remainingCredits = (limit: number, spent: number): string => creditsText(Math.max(0, limit - spent));

/** The window of a cap for each word that an export has for it. */
export type Windows = Readonly<Record<string, 'hour' | 'day' | 'week' | 'month'>>;

export interface ExportedLimit {
  readonly limit: number | undefined;
  /** Null where the limit never begins anew. */
  readonly reset: string | null;
  /** What is left of a limit that never begins anew. */
  readonly remaining: number;
}

/** A limit as the text of a cap; null where its window has no place here. */
export const capTextOf = ({ limit, reset, remaining }: ExportedLimit, windows: Windows): string | null | undefined => {
  if (limit === undefined) return undefined;
  if (reset === null) return `${creditsText(Math.max(0, remaining))}/total`;
  const window = Object.hasOwn(windows, reset) ? windows[reset] : undefined;
  return window === undefined ? null : `${creditsText(limit)}/${window}`;
};

/** Whether an export sets something: lists and objects set something where they are not empty. */
export const isSet = (value: unknown): boolean => {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
};

const shownCharsMax = 60;

/** What came and what is accepted, where a bound has another shape: the key would lose it. */
export const oddShape = (value: unknown, accepted: string): string =>
  `is ${JSON.stringify(value).slice(0, shownCharsMax)}; accepted is ${accepted}`;

/** Refuses values that are set and are no text and no number. */
export const refuseOddValues = (draft: ExportDraft, { place, fields }: RawRow, names: readonly string[]): void => {
  const odd = names.filter((name) => isSet(fields[name]) && valueOf(fields, name) === undefined);
  draft.refused.push(...odd.map((name) => `${place}: ${name} ${oddShape(fields[name], 'a text or a number')}`));
};
