import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { CallerLimits } from '@tollgate/engine';
import { isKeyHash } from '../../imported-key-lines.ts';
import type { ExportedRows } from './exported-keys.ts';
import { idFault } from './id-fault.ts';
import { FieldError, parseImportRow, type ImportedKey, type ImportRow, type RowField } from './import-row.ts';

export interface PlannedKey extends ImportedKey {
  readonly place: string;
}

export interface PlannedProject {
  readonly id: string;
  readonly name: string;
  /** By their references. */
  readonly keys: Map<string, PlannedKey>;
}

export interface PlannedAccount {
  /** The row that names it first. */
  readonly place: string;
  readonly id: string;
  readonly importedId: string;
  name: string | null;
  plan: string | null;
  balanceMicros: bigint | null;
  limits: CallerLimits | null;
  readonly projects: Map<string, PlannedProject>;
}

export interface ImportPlan {
  readonly accounts: readonly PlannedAccount[];
  /** What cannot be taken: nothing is written where there is one. */
  readonly faults: readonly string[];
}

/** The id of what is imported, a uuid of version 8: a second run names the same record. */
export const importedId = (source: string, kind: 'account' | 'project', names: readonly string[]): string => {
  const hex = createHash('sha256')
    .update(JSON.stringify(['import', source, kind, ...names]))
    .digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-');
};

const shown = (value: string | bigint | CallerLimits): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Where several rows name one account, they may leave a field out, and may not disagree. */
const agree = <T extends string | bigint | CallerLimits>(name: RowField, before: T | null, now: T | null): T | null => {
  if (before !== null && now !== null && !isDeepStrictEqual(before, now))
    throw new FieldError(name, `is ${shown(now)}, and an earlier row of the account has ${shown(before)}`);
  return now ?? before;
};

const projectDefault = 'default';

const addRow = (accounts: Map<string, PlannedAccount>, source: string, row: ImportRow): void => {
  const known = accounts.get(row.account);
  const account: PlannedAccount = known ?? {
    place: row.place,
    id: importedId(source, 'account', [row.account]),
    importedId: row.account,
    name: null,
    plan: null,
    balanceMicros: null,
    limits: null,
    projects: new Map(),
  };
  if (known === undefined) accounts.set(row.account, account);
  account.name = agree('account_name', account.name, row.accountName);
  account.plan = agree('plan', account.plan, row.plan);
  account.balanceMicros = agree('balance', account.balanceMicros, row.balanceMicros);
  account.limits = agree('account_requests_per_minute', account.limits, row.limits);
  if (row.key === null && row.project === null) return;
  const name = row.project ?? projectDefault;
  const project = account.projects.get(name) ?? {
    id: importedId(source, 'project', [row.account, name]),
    name,
    keys: new Map<string, PlannedKey>(),
  };
  account.projects.set(name, project);
  const { key } = row;
  if (key === null) return;
  const twin = project.keys.get(key.reference);
  if (twin !== undefined) throw new FieldError('key', `is that of ${twin.place}`);
  project.keys.set(key.reference, { ...key, place: row.place });
};

/** What the rows of a file ask for, by account, with every fault of them: pure, and the same for the same rows. */
export const planImport = (
  source: string,
  { rows, names = {}, refused = [] }: Pick<ExportedRows, 'rows' | 'names' | 'refused'>,
  checkModel: (model: string) => string | null,
): ImportPlan => {
  const accounts = new Map<string, PlannedAccount>();
  const faults: string[] = [...refused];
  // A hash stands for one key: in two projects it would be two, and its old text could be either.
  const hashes = new Map<string, string>();
  for (const raw of rows) {
    try {
      const odd = idFault(raw);
      if (odd !== null) throw new FieldError(odd.field, odd.fault);
      const row = parseImportRow(raw);
      for (const model of row.key?.models ?? []) {
        const fault = checkModel(model);
        if (fault !== null) throw new FieldError('models', `has ${fault}`);
      }
      addRow(accounts, source, row);
      const hash = row.key !== null && isKeyHash(row.key.reference) ? row.key.reference : null;
      const other = hash === null ? undefined : hashes.get(hash);
      if (other !== undefined) throw new FieldError('key', `is that of ${other}, in another account or project`);
      if (hash !== null) hashes.set(hash, row.place);
    } catch (cause) {
      if (!(cause instanceof FieldError)) throw cause;
      faults.push(`${raw.place}: ${cause.messageIn(names)}`);
    }
  }
  return { accounts: [...accounts.values()], faults };
};
