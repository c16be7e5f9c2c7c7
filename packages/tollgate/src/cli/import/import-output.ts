import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { decimalFromMicros, textCell } from '@tollgate/engine';
import { importedKeyLine } from '../../imported-key-lines.ts';
import { InputFileError, textOption, type CommandInput } from '../command.ts';
import type { ImportReport, PrintedKey } from './carry-out-import.ts';

/** The reader of standard output is gone: the texts of keys that are made would be lost. */
class OutputClosedError extends Error {
  override readonly name = 'OutputClosedError';
  readonly code = 'output_closed';
}

/** Where the keys of an import go, each at once: its text cannot be had again. */
export interface ImportOutput {
  /** Throws where what is printed has no reader any more. */
  readonly check: () => void;
  readonly printKey: (key: PrintedKey) => void;
  readonly close: () => void;
}

const csvLineOf = ({ account, accountId, projectId, reference, keyId, key }: PrintedKey): string =>
  [account, accountId, projectId, reference, keyId, key ?? ''].map(textCell).join(',');

const jsonLineOf = (kind: 'key' | 'report', members: object): string =>
  JSON.stringify({ kind, ...members }, (_, field: unknown) => (typeof field === 'bigint' ? String(field) : field));

/** Opens a new file, which its owner alone may read; one that is there may hold the only copy of the texts of keys. */
const newFile = (name: 'out' | 'keys', file: string): number => {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (cause) {
    throw new InputFileError(
      `--${name}: ${file} cannot be made (${cause instanceof Error ? cause.message : String(cause)})`,
    );
  }
};

/** Opens the files of `--out` and `--keys`: both, or none of them stays. */
const newFiles = (out: string | undefined, keys: string | undefined) => {
  const file = out === undefined ? null : newFile('out', out);
  try {
    return { file, keysFile: keys === undefined ? null : newFile('keys', keys) };
  } catch (cause) {
    // An empty file of this run would refuse the next run.
    if (file !== null && out !== undefined) {
      closeSync(file);
      unlinkSync(out);
    }
    throw cause;
  }
};

/** Opens what an import writes: CSV, or a line of JSON for each key, and the file of `--out`. */
export const openImportOutput = (input: CommandInput): ImportOutput => {
  const { world, options } = input;
  const { file, keysFile } = newFiles(textOption(input, 'out'), textOption(input, 'keys'));
  const isJson = options['json'] === true;
  const print = keysFile === null ? world.print : (text: string): void => void writeSync(keysFile, `${text}\n`);
  if (!isJson) print('account,account_id,project_id,reference,key_id,key');
  return {
    check: () => {
      if (keysFile === null && world.isUnread?.() === true)
        throw new OutputClosedError('the reader of standard output is gone: stopped; a second run makes the rest');
    },
    printKey: (key) => {
      print(isJson ? jsonLineOf('key', key) : csvLineOf(key));
      if (file !== null) writeSync(file, `${importedKeyLine(key)}\n`);
    },
    close: () => {
      if (file !== null) closeSync(file);
      if (keysFile !== null) closeSync(keysFile);
    },
  };
};

/** The last line of `--json`. */
export const printReport = ({ world }: CommandInput, report: ImportReport): void =>
  world.print(jsonLineOf('report', { ...report, depositedCredits: decimalFromMicros(report.depositedMicros) }));
