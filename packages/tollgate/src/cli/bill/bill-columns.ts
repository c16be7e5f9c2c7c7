import { acceptedWords } from '@tollgate/contract/configuration';
import { usageUnits, type UsageUnit } from '@tollgate/provider';
import type { BillRow } from '@tollgate/engine';
import type { CsvRecord } from './read-csv.ts';

/** Which columns of a bill say what. */
export interface ColumnOptions {
  /** The column of ids; by default the first of `idColumns` that there is. */
  readonly id?: string | undefined;
  /** The column of times, where there is one. */
  readonly time?: string | undefined;
  /** `UNIT=COLUMN`, or `UNIT=COLUMN-COLUMN` where the first counts the second too; by default columns named like units. */
  readonly units: readonly string[];
}

/** Names under which bills carry the id of a request. */
const idColumns = [
  'upstream_id',
  'request_id',
  'x_request_id',
  'x-request-id',
  'generation_id',
  'response_id',
  'completion_id',
  'client_request_id',
  'id',
] as const;

interface Meter {
  readonly unit: UsageUnit;
  /** Places of the columns: the first less the others. */
  readonly places: readonly number[];
}

/** Reads a record of the bill. */
export type ReadRow = (record: CsvRecord) => BillRow;

const unitOf = (name: string): UsageUnit | undefined => usageUnits.find((unit) => unit === name);

const listed = (header: readonly string[]): string => `the columns are ${header.join(', ')}`;

const placeOf = (header: readonly string[], name: string): number => {
  const place = header.indexOf(name);
  if (place === -1) throw new RangeError(`the bill has no column ${name}: ${listed(header)}`);
  return place;
};

/** A name that is that of a column is taken whole, for names of columns may hold a `-`. */
const placesOf = (header: readonly string[], names: string): readonly number[] =>
  (header.includes(names) ? [names] : names.split('-')).map((name) => placeOf(header, name));

const readMeter = (header: readonly string[], text: string): Meter => {
  const at = text.indexOf('=');
  const unit = unitOf(text.slice(0, at));
  if (at < 1) throw new RangeError(`'${text}' is not UNIT=COLUMN`);
  if (unit === undefined) {
    const name = text.slice(0, at);
    throw new RangeError(`'${text}': ${name} is no unit; accepted ${acceptedWords(name, usageUnits)}`);
  }
  return { unit, places: placesOf(header, text.slice(at + 1)) };
};

const metersOf = (header: readonly string[], { units }: ColumnOptions): readonly Meter[] => {
  if (units.length > 0) return units.map((text) => readMeter(header, text));
  const meters = header.flatMap((name, place): readonly Meter[] => {
    const unit = unitOf(name);
    return unit === undefined ? [] : [{ unit, places: [place] }];
  });
  if (meters.length === 0)
    throw new RangeError(`no column of the bill is named like a unit; say --unit UNIT=COLUMN: ${listed(header)}`);
  return meters;
};

const idPlaceOf = (header: readonly string[], { id }: ColumnOptions): number => {
  const name = id ?? idColumns.find((known) => header.includes(known));
  if (name === undefined)
    throw new RangeError(`no column of the bill is known to hold ids; say --id-column: ${listed(header)}`);
  return placeOf(header, name);
};

const countOf = ({ line, fields }: CsvRecord, place: number): number => {
  const text = (fields[place] ?? '').trim();
  const count = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (text === '') return 0;
  if (!Number.isSafeInteger(count))
    throw new RangeError(`line ${line} of the bill: '${text}' is no whole number from 0`);
  return count;
};

const quantityOf = (record: CsvRecord, { unit, places }: Meter): number => {
  const [whole = 0, ...parts] = places.map((place) => countOf(record, place));
  const quantity = parts.reduce((rest, part) => rest - part, whole);
  if (quantity < 0) throw new RangeError(`line ${record.line} of the bill: ${unit} comes to ${quantity}`);
  return quantity;
};

/** Times in ISO form, or in seconds or milliseconds since 1970. */
const readTime = ({ line, fields }: CsvRecord, place: number): number => {
  const text = (fields[place] ?? '').trim();
  const seconds = /^\d{9,11}(?:\.\d+)?$/.test(text) ? Number(text) * 1_000 : Number.NaN;
  const ms = /^\d{12,14}$/.test(text) ? Number(text) : seconds;
  const atMs = Number.isNaN(ms) ? Date.parse(text) : ms;
  if (Number.isNaN(atMs)) throw new RangeError(`line ${line} of the bill: '${text}' is no time`);
  return Math.round(atMs);
};

/** How the records of a bill with this header are read. Throws a RangeError that names what is missing. */
export const createReadRow = (header: readonly string[], options: ColumnOptions): ReadRow => {
  const names = header.map((name) => name.trim());
  const idPlace = idPlaceOf(names, options);
  const meters = metersOf(names, options);
  const timePlace = options.time === undefined ? null : placeOf(names, options.time);
  return (record) => {
    const { line, fields } = record;
    if (fields.length !== names.length)
      throw new RangeError(`line ${line} of the bill has ${fields.length} fields, and the header ${names.length}`);
    return {
      id: (fields[idPlace] ?? '').trim(),
      line,
      usage: meters.map((meter) => ({ unit: meter.unit, quantity: quantityOf(record, meter) })),
      ...(timePlace === null ? {} : { atMs: readTime(record, timePlace) }),
    };
  };
};
