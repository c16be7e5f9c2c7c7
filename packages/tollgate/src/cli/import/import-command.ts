import { defaultCatalog } from '@tollgate/contract';
import { acceptedWords } from '@tollgate/contract/configuration';
import { decimalFromMicros, type Administration } from '@tollgate/engine';
import {
  exitCodes,
  listOption,
  requireOption,
  textOption,
  UsageError,
  type AdminCommand,
  type CommandInput,
} from '../command.ts';
import { isKeyHash } from '../../imported-key-lines.ts';
import { carryOutImport, type ImportReport } from './carry-out-import.ts';
import type { ExportedRows } from './exported-keys.ts';
import type { FieldNames } from './import-row.ts';
import type { StaleKey } from './find-stale-keys.ts';
import { openImportOutput, printReport, type ImportOutput } from './import-output.ts';
import { planImport, type ImportPlan } from './plan-import.ts';
import { readExport } from './read-export.ts';
import { boundedRows } from './read-import-file.ts';

/** Faults that are printed at the most. */
const faultsShownMax = 100;
const sourceCharsMax = 40;

/** `--map OLD=NEW`: names of models, several of which may take the place of one, as of a wildcard. */
const modelMapOf = (input: CommandInput): ReadonlyMap<string, string> =>
  new Map(
    listOption(input, 'map').map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1 || at === pair.length - 1) throw new UsageError(`--map has ${pair}, and takes OLD=NEW`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

const withNames = ({ rows, ...rest }: ExportedRows, names: ReadonlyMap<string, string>): ExportedRows => {
  const renamed = (model: unknown): readonly unknown[] =>
    (typeof model === 'string' ? names.get(model.trim())?.split(',') : undefined) ?? [model];
  const listed = (models: unknown): unknown =>
    Array.isArray(models)
      ? models.flatMap(renamed)
      : typeof models === 'string'
        ? models.split(',').flatMap(renamed).join(',')
        : models;
  return {
    ...rest,
    rows: rows.map(({ place, fields }) => ({ place, fields: { ...fields, models: listed(fields['models']) } })),
  };
};

const modelCheckOf = (input: CommandInput): ((model: string) => string | null) => {
  const ids = defaultCatalog.map(({ id }) => id);
  return (model) => {
    if (model.includes('*'))
      return `'${model}', a wildcard, which a key cannot have; --map '${model}=NAME,NAME' names the models.`;
    return input.options['own-catalog'] === true || ids.includes(model)
      ? null
      : `'${model}', which is no model of the default catalog; accepted ${acceptedWords(model, ids)}. --map ${model}=NEW names another, --own-catalog takes any.`;
  };
};

const complainOf = ({ world }: CommandInput, heading: string, lines: readonly string[]): void => {
  for (const line of lines.slice(0, faultsShownMax)) world.complain(`${heading}: ${line}`);
  if (lines.length > faultsShownMax) world.complain(`${heading}: ${lines.length - faultsShownMax} more`);
};

const summaryOf = (report: ImportReport, isDry: boolean): string =>
  [
    isDry ? 'a dry run, nothing was written:' : 'imported:',
    `${report.accountsMade} accounts (${report.accountsKept} were there),`,
    `${report.keysMade} keys (${report.keysKept} were there),`,
    `${report.deposits} deposits of ${decimalFromMicros(report.depositedMicros)} credits (${report.depositsKept} were there)`,
    ...(report.keysChanged > 0 ? [`; ${report.keysChanged} keys changed`] : []),
    ...(report.keysRevoked > 0 ? [`; ${report.keysRevoked} keys revoked`] : []),
  ].join(' ');

const staleTexts: Readonly<Record<StaleKey['kind'], string>> = {
  skipped: 'is skipped in the file and active here; --revoke-skipped revokes it here',
  moved: 'is in another account or project in the file, and active here too; tollgate key revoke shuts it',
  missing: 'is active here, and the file does not name it',
};

const staleLine = ({ keyId, account, reference, kind }: StaleKey): string =>
  `key ${keyId} (${reference}) of ${account} ${staleTexts[kind]}`;

/** Names what a run found beside what it made; returns the exit code. */
const sayFindings = (
  input: CommandInput,
  { refused, withoutBalance, differing, stale, missing }: ImportReport,
): number => {
  complainOf(input, 'refused', refused);
  complainOf(input, 'differs', differing);
  if (differing.length > 0)
    input.world.complain('terms that differ were left; --change-terms gives keys those of the file');
  complainOf(input, 'active', stale.map(staleLine));
  complainOf(input, 'not in the file', missing.map(staleLine));
  if (input.options['without-balances'] !== true)
    complainOf(
      input,
      'without a balance, so that its calls get 402',
      withoutBalance.map(({ account, accountId }) => `${account}, account ${accountId}`),
    );
  return refused.length + differing.length + stale.length === 0 ? exitCodes.done : exitCodes.refused;
};

/** `--out` is read by programs that recognise old keys: each must have its hash. */
const hashFaults = (input: CommandInput, { accounts }: ImportPlan): readonly string[] =>
  textOption(input, 'out') === undefined
    ? []
    : accounts
        .flatMap(({ projects }) => [...projects.values()].flatMap(({ keys }) => [...keys.values()]))
        .filter(({ reference }) => !isKeyHash(reference))
        .map(({ place, reference }) => `${place}: --out takes the SHA-256 of a key, and key is '${reference}'`);

const withoutBalances = ({ accounts, faults }: ImportPlan): ImportPlan => ({
  accounts: accounts.map((account) => ({ ...account, balanceMicros: null })),
  faults,
});

const noOutput: ImportOutput = { check: () => {}, printKey: () => {}, close: () => {} };

const sourceOf = (input: CommandInput, from: string): string => {
  const source = textOption(input, 'source') ?? from;
  if (source === '' || source.length > sourceCharsMax)
    throw new UsageError(`--source takes a name of 1 to ${sourceCharsMax} characters`);
  return source;
};

interface CheckedImport {
  readonly source: string;
  readonly plan: ImportPlan;
  readonly names: FieldNames;
  readonly named: ReadonlySet<string>;
}

const writePlan = async (
  admin: Administration,
  input: CommandInput,
  { source, plan, names, named }: CheckedImport,
): Promise<number> => {
  const { options } = input;
  const isDry = options['dry-run'] === true;
  const output = isDry ? noOutput : openImportOutput(input);
  const changesTerms = options['change-terms'] === true;
  const revokesSkipped = options['revoke-skipped'] === true;
  const run = { source, admin, isDry, names, named, changesTerms, revokesSkipped };
  try {
    const report = await carryOutImport({ ...run, beforeKey: output.check, onKey: output.printKey }, plan);
    const code = sayFindings(input, report);
    if (options['json'] === true) printReport(input, report);
    else input.world.complain(summaryOf(report, isDry));
    return code;
  } finally {
    output.close();
  }
};

/** Makes accounts, keys and balances of an export of another gateway; a second run changes nothing. */
export const importCommand: AdminCommand = async (admin, input) => {
  const { options, world } = input;
  const [file] = input.words;
  if (file === undefined) throw new UsageError('import takes a file');
  const from = requireOption(input, 'from');
  const source = sourceOf(input, from);
  const models = modelMapOf(input);
  const { named, ...exported } = await readExport(from, file);
  const { rows, skipped, leftOut, refused, names = {} } = withNames(exported, models);
  const checked = planImport(source, { rows: boundedRows(file, rows), names, refused }, modelCheckOf(input));
  const plan = options['without-balances'] === true ? withoutBalances(checked) : checked;
  const faults = [...plan.faults, ...hashFaults(input, plan)];
  complainOf(input, 'skipped', skipped);
  complainOf(input, 'without a place here', leftOut);
  complainOf(input, 'refused', faults);
  if (faults.length > 0 || (leftOut.length > 0 && options['leave-out'] !== true)) {
    const hint = faults.length > 0 ? '' : '; --leave-out imports the rest without these';
    world.complain(`nothing was written${hint}`);
    return exitCodes.refused;
  }
  return writePlan(admin, input, { source, plan, names, named });
};
