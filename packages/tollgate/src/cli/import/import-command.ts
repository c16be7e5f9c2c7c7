import { defaultCatalog } from '@tollgate/contract';
import { acceptedWords } from '@tollgate/contract/configuration';
import { decimalFromMicros } from '@tollgate/engine';
import {
  exitCodes,
  InputFileError,
  listOption,
  printJson,
  requireOption,
  textOption,
  UsageError,
  type AdminCommand,
  type CommandInput,
} from '../command.ts';
import { carryOutImport, type ImportedKeyLine, type ImportReport } from './carry-out-import.ts';
import type { ExportedRows } from './exported-keys.ts';
import { fromLitellm } from './from-litellm.ts';
import { fromOpenrouter } from './from-openrouter.ts';
import { fromPortkey } from './from-portkey.ts';
import { planImport } from './plan-import.ts';
import { boundedRows, readJsonFile, readRowsFile } from './read-import-file.ts';

const exports: Readonly<Record<string, (exported: unknown) => ExportedRows | null>> = {
  litellm: fromLitellm,
  openrouter: fromOpenrouter,
  portkey: fromPortkey,
};

/** Faults that are printed at the most. */
const faultsShownMax = 100;
const sourceCharsMax = 40;

const readExport = async (from: string, file: string): Promise<ExportedRows> => {
  if (from === 'rows') return { rows: await readRowsFile(file), skipped: [], leftOut: [] };
  const read = exports[from];
  if (read === undefined)
    throw new UsageError(`--from has ${from}; accepted ${acceptedWords(from, ['rows', ...Object.keys(exports)])}`);
  const found = read(readJsonFile(file));
  if (found === null) throw new InputFileError(`${file} is not the list of keys that ${from} exports`);
  return found;
};

/** `--map OLD=NEW`: names of models. */
const modelMapOf = (input: CommandInput): ReadonlyMap<string, string> =>
  new Map(
    listOption(input, 'map').map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1 || at === pair.length - 1) throw new UsageError(`--map has ${pair}, and takes OLD=NEW`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

const withNames = ({ rows, ...rest }: ExportedRows, names: ReadonlyMap<string, string>): ExportedRows => {
  const renamed = (model: unknown): unknown => (typeof model === 'string' ? (names.get(model.trim()) ?? model) : model);
  const listed = (models: unknown): unknown =>
    Array.isArray(models)
      ? models.map(renamed)
      : typeof models === 'string'
        ? models.split(',').map(renamed).join(',')
        : models;
  return {
    ...rest,
    rows: rows.map(({ place, fields }) => ({ place, fields: { ...fields, models: listed(fields['models']) } })),
  };
};

const modelCheckOf = (input: CommandInput): ((model: string) => string | null) => {
  const ids = defaultCatalog.map(({ id }) => id);
  return (model) =>
    input.options['own-catalog'] === true || ids.includes(model)
      ? null
      : `'${model}', which is no model of the default catalog; accepted ${acceptedWords(model, ids)}. --map ${model}=NEW names another, --own-catalog takes any.`;
};

const complainOf = ({ world }: CommandInput, heading: string, lines: readonly string[]): void => {
  for (const line of lines.slice(0, faultsShownMax)) world.complain(`${heading}: ${line}`);
  if (lines.length > faultsShownMax) world.complain(`${heading}: ${lines.length - faultsShownMax} more`);
};

const csvField = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const csvLineOf = ({ account, accountId, projectId, reference, keyId, key }: ImportedKeyLine): string =>
  [account, accountId, projectId, reference, keyId, key ?? ''].map(csvField).join(',');

const summaryOf = (report: ImportReport, isDry: boolean): string =>
  [
    isDry ? 'a dry run, nothing was written:' : 'imported:',
    `${report.accountsMade} accounts (${report.accountsKept} were there),`,
    `${report.keysMade} keys (${report.keysKept} were there),`,
    `${report.deposits} deposits of ${decimalFromMicros(report.depositedMicros)} credits (${report.depositsKept} were there)`,
  ].join(' ');

const sourceOf = (input: CommandInput, from: string): string => {
  const source = textOption(input, 'source') ?? from;
  if (source === '' || source.length > sourceCharsMax)
    throw new UsageError(`--source takes a name of 1 to ${sourceCharsMax} characters`);
  return source;
};

/** Makes accounts, keys and balances of an export of another gateway; a second run changes nothing. */
export const importCommand: AdminCommand = async (admin, input) => {
  const { options, world } = input;
  const [file] = input.words;
  if (file === undefined) throw new UsageError('import takes a file');
  const from = requireOption(input, 'from');
  const source = sourceOf(input, from);
  const names = modelMapOf(input);
  const { rows, skipped, leftOut } = withNames(await readExport(from, file), names);
  const plan = planImport(source, boundedRows(file, rows), modelCheckOf(input));
  complainOf(input, 'skipped', skipped);
  complainOf(input, 'without a place here', leftOut);
  complainOf(input, 'refused', plan.faults);
  if (plan.faults.length > 0 || (leftOut.length > 0 && options['leave-out'] !== true)) {
    world.complain(
      plan.faults.length > 0
        ? 'nothing was written'
        : 'nothing was written; --leave-out imports the rest without these',
    );
    return exitCodes.refused;
  }
  const isDry = options['dry-run'] === true;
  const lines: ImportedKeyLine[] = [];
  const isJson = options['json'] === true;
  if (!isJson && !isDry) world.print('account,account_id,project_id,reference,key_id,key');
  const onKey = (line: ImportedKeyLine): void => {
    if (isJson) lines.push(line);
    else world.print(csvLineOf(line));
  };
  const report = await carryOutImport({ source, admin, isDry, onKey }, plan);
  complainOf(input, 'refused', report.refused);
  if (isJson) printJson(world, { ...report, depositedCredits: decimalFromMicros(report.depositedMicros), keys: lines });
  else world.complain(summaryOf(report, isDry));
  return report.refused.length === 0 ? exitCodes.done : exitCodes.refused;
};
