import { readCsv } from '../bill/read-csv.ts';
import { InputFileError } from '../command.ts';
import { readTextFile } from '../../read-text-file.ts';
import type { RawRow } from './import-row.ts';
import { depthFault, tooDeepLine } from './json-depth.ts';

/** Most rows of a file that is imported. */
const rowsMax = 100_000;

const refuse = (fault: string): Error => new InputFileError(fault);

/** The value of a JSON file. */
export const readJsonFile = (file: string): unknown => {
  const text = readTextFile(file, refuse);
  const deep = tooDeepLine(text);
  if (deep !== null) throw new InputFileError(`${file}, line ${deep}: ${depthFault}`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InputFileError(`${file} is not JSON`);
  }
};

export const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of a list, each with its place; null where the value is no list of objects. */
export const tablesOf = (value: unknown, name: string): readonly RawRow[] | null => {
  if (!Array.isArray(value) || !value.every(isTable)) return null;
  return value.map((fields, at) => ({ place: `${name}[${at}]`, fields }));
};

/** The rows of a CSV file whose first line names the fields. */
const csvRows = async (file: string): Promise<readonly RawRow[]> => {
  const rows: RawRow[] = [];
  let header: readonly string[] | undefined;
  for await (const { line, fields } of readCsv([readTextFile(file, refuse)])) {
    if (header === undefined) {
      header = fields.map((name) => name.trim());
      const twice = header.find((name, at) => header?.indexOf(name) !== at);
      if (twice !== undefined) throw new InputFileError(`${file}, line ${line}: the header names ${twice} twice`);
      continue;
    }
    const names = header;
    if (fields.length !== names.length)
      throw new InputFileError(`${file}, line ${line}: ${fields.length} fields, and the header has ${names.length}`);
    rows.push({ place: `line ${line}`, fields: Object.fromEntries(fields.map((text, at) => [names[at] ?? '', text])) });
  }
  return rows;
};

/** The rows of a file in the form of this project: CSV, or a list of objects where it is JSON. */
export const readRowsFile = async (file: string): Promise<readonly RawRow[]> => {
  if (!file.endsWith('.json')) return csvRows(file);
  const rows = tablesOf(readJsonFile(file), 'rows');
  if (rows === null) throw new InputFileError(`${file} is not a JSON list of objects`);
  return rows;
};

/** Refuses what is longer than an import may be. */
export const boundedRows = (file: string, rows: readonly RawRow[]): readonly RawRow[] => {
  if (rows.length > rowsMax) throw new InputFileError(`${file} has ${rows.length} rows; at most ${rowsMax} are taken`);
  return rows;
};
