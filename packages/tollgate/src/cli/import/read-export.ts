import { acceptedWords } from '@tollgate/contract/configuration';
import { InputFileError, UsageError } from '../command.ts';
import type { ExportedRows } from './exported-keys.ts';
import { fromLitellm } from './from-litellm.ts';
import { fromOpenrouter } from './from-openrouter.ts';
import { fromPortkey } from './from-portkey.ts';
import { isTable, readJsonFile, readRowsFile, tablesOf } from './read-import-file.ts';

interface ExportFormat {
  readonly read: (exported: unknown) => ExportedRows | null;
  /** The member that lists keys, and the one of a key that becomes its reference. */
  readonly keys: string;
  readonly reference: string;
}

const formats: Readonly<Record<string, ExportFormat>> = {
  litellm: { read: fromLitellm, keys: 'keys', reference: 'token' },
  openrouter: { read: fromOpenrouter, keys: 'data', reference: 'hash' },
  portkey: { read: fromPortkey, keys: 'data', reference: 'id' },
};

/** What a file asks for, and the references of all keys that it names, also of those that are skipped. */
export interface NamedRows extends ExportedRows {
  readonly named: ReadonlySet<string>;
}

const namedIn = (exported: unknown, { keys, reference }: ExportFormat): ReadonlySet<string> => {
  const tables = tablesOf(isTable(exported) ? exported[keys] : exported, keys) ?? [];
  return new Set(tables.map(({ fields }) => String(fields[reference])));
};

/** Reads the export of `--from`. */
export const readExport = async (from: string, file: string): Promise<NamedRows> => {
  if (from === 'rows') return { rows: await readRowsFile(file), skipped: [], leftOut: [], named: new Set() };
  const format = Object.hasOwn(formats, from) ? formats[from] : undefined;
  if (format === undefined)
    throw new UsageError(`--from has ${from}; accepted ${acceptedWords(from, ['rows', ...Object.keys(formats)])}`);
  const exported = readJsonFile(file);
  const found = format.read(exported);
  if (found === null) throw new InputFileError(`${file} is not the list of keys that ${from} exports`);
  return { ...found, named: namedIn(exported, format) };
};
