import { isConfigurationError, type ConfigurationFault } from '@tollgate/contract/configuration';
import type { Administration, KeyInfo } from '@tollgate/engine';
import { withoutMilliseconds } from '../configuration-faults.ts';
import { findStaleKeys, type StaleKey } from './find-stale-keys.ts';
import type { FieldNames, RowField } from './import-row.ts';
import { keyDifferences } from './key-differences.ts';
import type { ImportPlan, PlannedAccount, PlannedKey, PlannedProject } from './plan-import.ts';

type Admin = Pick<
  Administration,
  | 'createAccount'
  | 'createProject'
  | 'createKeyOnce'
  | 'changeKey'
  | 'setKeyStatus'
  | 'deposit'
  | 'readAccount'
  | 'readProject'
  | 'readWallet'
  | 'findAccounts'
  | 'findProjects'
  | 'findKeys'
>;

/** A key that was imported; its text where this run made it. */
export interface PrintedKey {
  readonly account: string;
  readonly accountId: string;
  readonly projectId: string;
  readonly reference: string;
  readonly keyId: string;
  readonly key: string | null;
}

export interface ImportReport {
  accountsMade: number;
  accountsKept: number;
  keysMade: number;
  keysKept: number;
  deposits: number;
  depositsKept: number;
  depositedMicros: bigint;
  keysChanged: number;
  keysRevoked: number;
  /** The accounts that have no credits after it, by their old ids and their own. */
  readonly withoutBalance: { readonly account: string; readonly accountId: string }[];
  /** What was refused, by its place. */
  readonly refused: string[];
  /** Keys that were there with other terms than those of the file, by their place. */
  readonly differing: string[];
  /** Keys that are active here and should not be: those that the file has and skips, and those that it has in another account. */
  readonly stale: StaleKey[];
  /** Active keys of the source that the file does not name. */
  readonly missing: StaleKey[];
}

export interface ImportRun {
  readonly source: string;
  readonly admin: Admin;
  /** Writes nothing, and counts what would be made. */
  readonly isDry: boolean;
  /** What the file calls the fields of a row. */
  readonly names: FieldNames;
  /** Gives keys that were there the terms of the file. */
  readonly changesTerms: boolean;
  /** Revokes keys that the file has and skips. */
  readonly revokesSkipped: boolean;
  /** The references of all keys that the file names. */
  readonly named: ReadonlySet<string>;
  /** Is asked before a key is made, and throws where its text would be lost. */
  readonly beforeKey: () => void;
  /** Is shown each key, at once: the text of one that was made cannot be had again. */
  readonly onKey: (key: PrintedKey) => void;
}

const emptyReport = (): ImportReport => ({
  accountsMade: 0,
  accountsKept: 0,
  keysMade: 0,
  keysKept: 0,
  deposits: 0,
  depositsKept: 0,
  depositedMicros: 0n,
  keysChanged: 0,
  keysRevoked: 0,
  withoutBalance: [],
  refused: [],
  differing: [],
  stale: [],
  missing: [],
});

/** What the administration calls a field that has another name in a row. */
const fieldNames: ReadonlyMap<string, RowField> = new Map<string, RowField>([
  ['expiresAtMs', 'expires'],
  ['cap.timeZone', 'cap'],
  ['cap.amountMicros', 'cap'],
  ['models', 'models'],
  ['plan', 'plan'],
]);

/** A fault of the administration in the words of the file: its name of the field, and a time as a date. */
const faultIn = (names: FieldNames, { place, message }: ConfigurationFault): string => {
  const field = fieldNames.get(place);
  if (field === undefined) return message;
  return `${names[field] ?? field}${withoutMilliseconds(message.slice(place.length))}`;
};

/** A row that the administration refuses is said by its place; the others go on. */
const orRefused = async (
  { names }: ImportRun,
  report: ImportReport,
  place: string,
  write: () => Promise<void>,
): Promise<void> => {
  try {
    await write();
  } catch (cause) {
    if (!isConfigurationError(cause)) throw cause;
    report.refused.push(...cause.faults.map((fault) => `${place}: ${faultIn(names, fault)}`));
  }
};

interface Place {
  readonly account: PlannedAccount;
  readonly project: PlannedProject;
}

/** A second run changes no terms without `changesTerms`; it names those that are not the file's. */
const compareKey = async (run: ImportRun, report: ImportReport, kept: KeyInfo, planned: PlannedKey): Promise<void> => {
  const differences = keyDifferences(kept, planned);
  if (differences.length === 0) return;
  if (run.changesTerms && !run.isDry) {
    const { cap, models, expiresAtMs, limits } = planned;
    await run.admin.changeKey(kept.id, { cap, models, expiresAtMs, limits });
    report.keysChanged += 1;
  } else report.differing.push(...differences.map((text) => `${planned.place}: ${text} (key ${kept.id})`));
};

const importKey = async (
  run: ImportRun,
  report: ImportReport,
  { account, project }: Place,
  planned: PlannedKey,
): Promise<void> => {
  const { admin, isDry } = run;
  const { place: _, ...key } = planned;
  const place = { projectId: project.id, reference: key.reference };
  run.beforeKey();
  const made = isDry ? null : await admin.createKeyOnce({ ...key, projectId: project.id });
  if (made !== null)
    run.onKey({ account: account.importedId, accountId: account.id, ...place, keyId: made.id, key: made.key });
  const kept = isDry ? (await admin.findKeys(place)).items[0] : made?.key === null ? made : undefined;
  report[kept === undefined ? 'keysMade' : 'keysKept'] += 1;
  if (kept !== undefined) await compareKey(run, report, kept, planned);
};

const conflictOf = ({ id, importedId }: PlannedAccount, names: FieldNames): string =>
  `${names.balance ?? 'balance'} is not that of the first import of ${importedId}, which 'tollgate statement ${id}' shows; ` +
  `give or take the difference by 'tollgate compensate --account ${id} --give CREDITS' or '--take CREDITS'`;

const depositOnce = async (run: ImportRun, report: ImportReport, account: PlannedAccount) => {
  const { admin, source, isDry } = run;
  const amountMicros = account.balanceMicros ?? 0n;
  if (amountMicros === 0n) return;
  const reference = `import:${source}`;
  const kind = isDry ? 'done' : (await admin.deposit({ accountId: account.id, amountMicros, reference })).kind;
  if (kind === 'done') {
    report.deposits += 1;
    report.depositedMicros += amountMicros;
  } else if (kind === 'repeated') report.depositsKept += 1;
  else if (kind === 'conflict') report.refused.push(`${account.place}: ${conflictOf(account, run.names)}`);
  else report.refused.push(`${account.place}: balance is refused (${kind})`);
};

const importAccount = async (run: ImportRun, report: ImportReport, account: PlannedAccount): Promise<void> => {
  const { admin, source, isDry } = run;
  const isKept = (await admin.readAccount(account.id)) !== null;
  const { id, plan, limits } = account;
  const metadata = { imported_from: source, imported_id: account.importedId };
  if (!isDry) await admin.createAccount({ id, name: account.name ?? account.importedId, plan, metadata, limits });
  report[isKept ? 'accountsKept' : 'accountsMade'] += 1;
  for (const project of account.projects.values()) {
    if (!isDry && (await admin.createProject({ id: project.id, accountId: id, name: project.name })) === null) {
      report.refused.push(`${account.place}: the account ${id} is closed`);
      return;
    }
    for (const key of project.keys.values())
      await orRefused(run, report, key.place, () => importKey(run, report, { account, project }, key));
  }
  // Of an account that was there, a dry run cannot say whether its balance was deposited already.
  if (!isDry || !isKept) await depositOnce(run, report, account);
  if ((account.balanceMicros ?? 0n) === 0n && ((await admin.readWallet(id))?.balanceMicros ?? 0n) === 0n)
    report.withoutBalance.push({ account: account.importedId, accountId: id });
};

/** A key that was imported and is blocked at the old gateway since then must not stay active unsaid. */
const judgeStaleKeys = async (run: ImportRun, report: ImportReport, plan: ImportPlan): Promise<void> => {
  for await (const key of findStaleKeys(run.admin, run.source, plan, run.named)) {
    if (key.kind === 'missing') report.missing.push(key);
    else if (key.kind === 'skipped' && run.revokesSkipped && !run.isDry) {
      await run.admin.setKeyStatus(key.keyId, 'revoked');
      report.keysRevoked += 1;
    } else report.stale.push(key);
  }
};

/** Makes what a plan names. Each record has an id that follows from its old one, so that a second run changes nothing. */
export const carryOutImport = async (run: ImportRun, plan: ImportPlan): Promise<ImportReport> => {
  const report = emptyReport();
  for (const account of plan.accounts)
    await orRefused(run, report, account.place, () => importAccount(run, report, account));
  await judgeStaleKeys(run, report, plan);
  return report;
};
