import { readFileSync, statSync } from 'node:fs';
import { InputFileError } from '../command.ts';

/** Largest file of published prices that is read. */
const fileBytesMax = 64 * 1024 * 1024;

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (file: string): string => {
  try {
    const { size } = statSync(file);
    if (size <= fileBytesMax) return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new InputFileError(`${file} cannot be read (${cause instanceof Error ? cause.message : String(cause)})`);
  }
  throw new InputFileError(`${file} is larger than ${fileBytesMax} bytes`);
};

/** A JSON file of prices, whatever its members are. */
export const readPricesFile = (file: string): Readonly<Record<string, unknown>> => {
  const text = textOf(file);
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new InputFileError(`${file} is not JSON`);
  }
  if (!isTable(list)) throw new InputFileError(`${file} is not a JSON object`);
  return list;
};
