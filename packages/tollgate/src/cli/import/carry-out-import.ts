import { isConfigurationError } from '@tollgate/contract/configuration';
import type { Administration } from '@tollgate/engine';
import type { ImportPlan, PlannedAccount, PlannedKey, PlannedProject } from './plan-import.ts';

type Admin = Pick<
  Administration,
  'createAccount' | 'createProject' | 'createKeyOnce' | 'deposit' | 'readAccount' | 'readProject' | 'findKeys'
>;

/** A key that was imported; its text where this run made it. */
export interface ImportedKeyLine {
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
  /** What was refused, by its place. */
  readonly refused: string[];
}

export interface ImportRun {
  readonly source: string;
  readonly admin: Admin;
  /** Writes nothing, and counts what would be made. */
  readonly isDry: boolean;
  /** Is shown each key, at once: the text of one that was made cannot be had again. */
  readonly onKey: (line: ImportedKeyLine) => void;
}

const emptyReport = (): ImportReport => ({
  accountsMade: 0,
  accountsKept: 0,
  keysMade: 0,
  keysKept: 0,
  deposits: 0,
  depositsKept: 0,
  depositedMicros: 0n,
  refused: [],
});

/** What the administration calls a field that has another name in a row. */
const fieldNames: ReadonlyMap<string, string> = new Map([
  ['expiresAtMs', 'expires'],
  ['cap.timeZone', 'cap'],
  ['name', 'name (of the account or the key)'],
]);

/** A row that the administration refuses is said by its place; the others go on. */
const orRefused = async (report: ImportReport, place: string, run: () => Promise<void>): Promise<void> => {
  try {
    await run();
  } catch (cause) {
    if (!isConfigurationError(cause)) throw cause;
    report.refused.push(
      ...cause.faults.map((fault) => `${place}: ${fieldNames.get(fault.place) ?? fault.place} ${fault.message}`),
    );
  }
};

interface Place {
  readonly account: PlannedAccount;
  readonly project: PlannedProject;
}

const importKey = async (
  { admin, isDry, onKey }: ImportRun,
  report: ImportReport,
  { account, project }: Place,
  planned: PlannedKey,
): Promise<void> => {
  const { place: _, ...key } = planned;
  const kept = isDry ? (await admin.findKeys({ projectId: project.id, reference: key.reference })).items[0] : undefined;
  const made = isDry ? null : await admin.createKeyOnce({ ...key, projectId: project.id });
  const isKept = kept !== undefined || (made !== null && made.key === null);
  report[isKept ? 'keysKept' : 'keysMade'] += 1;
  if (made !== null)
    onKey({
      account: account.importedId,
      accountId: account.id,
      projectId: project.id,
      reference: key.reference,
      keyId: made.id,
      key: made.key,
    });
};

const depositOnce = async ({ admin, source, isDry }: ImportRun, report: ImportReport, account: PlannedAccount) => {
  const amountMicros = account.balanceMicros ?? 0n;
  if (amountMicros === 0n) return;
  const reference = `import:${source}`;
  const kind = isDry ? 'done' : (await admin.deposit({ accountId: account.id, amountMicros, reference })).kind;
  if (kind === 'done') {
    report.deposits += 1;
    report.depositedMicros += amountMicros;
  } else if (kind === 'repeated') report.depositsKept += 1;
  else if (kind === 'conflict')
    report.refused.push(
      `${account.place}: balance is not that of the first import of ${account.importedId}; correct it by a deposit`,
    );
  else report.refused.push(`${account.place}: balance is refused (${kind})`);
};

const importAccount = async (run: ImportRun, report: ImportReport, account: PlannedAccount): Promise<void> => {
  const { admin, source, isDry } = run;
  const isKept = (await admin.readAccount(account.id)) !== null;
  const { id, plan } = account;
  const metadata = { imported_from: source, imported_id: account.importedId };
  if (!isDry) await admin.createAccount({ id, name: account.name ?? account.importedId, plan, metadata });
  report[isKept ? 'accountsKept' : 'accountsMade'] += 1;
  for (const project of account.projects.values()) {
    if (!isDry && (await admin.createProject({ id: project.id, accountId: id, name: project.name })) === null) {
      report.refused.push(`${account.place}: the account ${id} is closed`);
      return;
    }
    for (const key of project.keys.values())
      await orRefused(report, key.place, () => importKey(run, report, { account, project }, key));
  }
  // Of an account that was there, a dry run cannot say whether its balance was deposited already.
  if (!isDry || !isKept) await depositOnce(run, report, account);
};

/** Makes what a plan names. Each record has an id that follows from its old one, so that a second run changes nothing. */
export const carryOutImport = async (run: ImportRun, { accounts }: ImportPlan): Promise<ImportReport> => {
  const report = emptyReport();
  for (const account of accounts) await orRefused(report, account.place, () => importAccount(run, report, account));
  return report;
};
