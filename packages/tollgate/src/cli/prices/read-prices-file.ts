import { InputFileError } from '../command.ts';
import { readTextFile } from '../../read-text-file.ts';

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A JSON file of prices, whatever its members are. */
export const readPricesFile = (file: string): Readonly<Record<string, unknown>> => {
  const text = readTextFile(file, (fault) => new InputFileError(fault));
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new InputFileError(`${file} is not JSON`);
  }
  if (!isTable(list)) throw new InputFileError(`${file} is not a JSON object`);
  return list;
};
