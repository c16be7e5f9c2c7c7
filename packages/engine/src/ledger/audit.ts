import {
  listRowsMax,
  type AccountRecord,
  type EntryRecord,
  type OperationRecord,
  type ProjectRecord,
  type WalletRecord,
} from '@tollgate/storage';
import { isEnded } from '@tollgate/contract';
import { checkBalances, checkEntries } from './audit-entries.ts';
import { auditRollUps } from './audit-roll-ups.ts';
import { auditUsage } from './audit-usage.ts';
import type { Violation } from './violation.ts';
import type { Engine } from '../engine.ts';

/** What an audit has read, and each rule that does not hold. */
export interface AuditReport {
  readonly accounts: number;
  readonly operations: number;
  readonly entries: number;
  /** What all accounts carry, in pico-credits: debits and this are the sum of all prices. It may exceed a micro-credit. */
  readonly remainderPicos: number;
  readonly violations: readonly Violation[];
  /** Accounts, or those of projects, that kept changing while they were read; audit them again when it is quieter. */
  readonly busy: readonly string[];
}

/** How often an account that changes while it is read is read again. */
const readsMax = 5;

interface Facts {
  readonly entries: readonly EntryRecord[];
  readonly operations: readonly OperationRecord[];
}

const pageAll = async <T>(page: (after: T | undefined) => Promise<readonly T[]>): Promise<readonly T[]> => {
  const all: T[] = [];
  for (;;) {
    const rows = await page(all.at(-1));
    all.push(...rows);
    if (rows.length < listRowsMax) return all;
  }
};

const readFacts = async ({ storage }: Pick<Engine, 'storage'>, accountId: string): Promise<Facts> => {
  const entries = await pageAll<EntryRecord>((last) =>
    storage.list('entriesByAccount', {
      of: accountId,
      limit: listRowsMax,
      ...(last === undefined ? {} : { after: { order: last.seq, id: last.id } }),
    }),
  );
  const operations = await pageAll<OperationRecord>((last) =>
    storage.list('operationsByAccount', {
      of: accountId,
      limit: listRowsMax,
      ...(last === undefined ? {} : { after: { order: last.createdAtMs, id: last.id } }),
    }),
  );
  return { entries, operations };
};

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

type Found = Pick<Violation, 'rule' | 'detail'>;

const checkSums = (wallet: WalletRecord, operations: readonly OperationRecord[]): readonly Found[] => {
  const found: Found[] = [];
  const held = sum(operations.map((operation) => operation.holdMicros));
  if (held !== wallet.reservedMicros)
    found.push({ rule: 'holds_sum_to_reserved', detail: `holds ${held}, reserved ${wallet.reservedMicros}` });
  if (wallet.reservedMicros < 0n || wallet.reservedMicros > wallet.balanceMicros)
    found.push({ rule: 'reserved_within_balance', detail: `${wallet.reservedMicros} of ${wallet.balanceMicros}` });
  return found;
};

/**
 * What completed operations carry, kept or gone, is what the account carries; with a wallet of the host's, also what those carry
 * whose amount the host may have already.
 */
const checkRemainder = (
  wallet: WalletRecord,
  operations: readonly OperationRecord[],
  isHosted: boolean,
): readonly Found[] => {
  const carried = operations.reduce(
    (total, { state, carriedPicos }) => (isHosted || state === 'completed' ? total + carriedPicos : total),
    wallet.purgedPicos,
  );
  if (carried === wallet.remainderPicos) return [];
  return [{ rule: 'remainder_is_carried', detail: `carried ${carried}, remainder ${wallet.remainderPicos}` }];
};

const checkOperation = (operation: OperationRecord, debits: readonly bigint[]): readonly Found[] => {
  const found: Found[] = [];
  const { id, state } = operation;
  if (state === 'failed' && (operation.chargedMicros !== 0n || debits.length > 0))
    found.push({ rule: 'no_debit_on_failed', detail: id });
  if (isEnded(state) && operation.holdMicros !== 0n) found.push({ rule: 'no_hold_on_ended', detail: id });
  if (-sum(debits) !== operation.chargedMicros)
    found.push({
      rule: 'debits_match_charge',
      detail: `${id}: debits ${-sum(debits)}, charged ${operation.chargedMicros}`,
    });
  if (debits.length > operation.captures + 1) found.push({ rule: 'one_debit_without_captures', detail: id });
  if (operation.pendingMicros !== null && state !== 'uncertain')
    found.push({ rule: 'pending_only_while_uncertain', detail: id });
  if (!followsVerdict(operation)) found.push({ rule: 'charge_follows_verdict', detail: id });
  return found;
};

/**
 * An operation with a verdict is charged what the verdict says. Parts captured before are not given back, and a
 * measure may be off by the micro-credit to which it was rounded.
 */
const followsVerdict = ({ state, verdict, chargedMicros, absorbedMicros, captures }: OperationRecord): boolean => {
  if (verdict === null || !isEnded(state)) return true;
  if (verdict.kind === 'release') return state === 'failed';
  const off = chargedMicros + absorbedMicros - BigInt(verdict.amountMicros);
  const roundedMicros = verdict.kind === 'charge' ? 0n : 1n;
  if (state !== 'completed') return false;
  return (off >= -roundedMicros && off <= roundedMicros) || (captures > 0 && off > 0n);
};

const debitsByOperation = (entries: readonly EntryRecord[]): ReadonlyMap<string, readonly bigint[]> => {
  const debits = new Map<string, bigint[]>();
  for (const entry of entries) {
    if (entry.kind !== 'debit' || entry.operationId === null) continue;
    const known = debits.get(entry.operationId);
    if (known === undefined) debits.set(entry.operationId, [entry.amountMicros]);
    else known.push(entry.amountMicros);
  }
  return debits;
};

const checkAccount = (wallet: WalletRecord, { entries, operations }: Facts, isHosted: boolean): readonly Found[] => {
  const debits = debitsByOperation(entries);
  return [
    ...checkEntries(wallet, entries),
    ...checkBalances(entries),
    ...checkSums(wallet, operations),
    ...checkRemainder(wallet, operations, isHosted),
    ...operations.flatMap((operation) => checkOperation(operation, debits.get(operation.id) ?? [])),
  ];
};

const readWalletOf = async ({ storage }: Pick<Engine, 'storage'>, id: string): Promise<WalletRecord | undefined> =>
  (await storage.read([{ table: 'wallet', id }])).get('wallet', id);

interface Audited {
  readonly facts: Facts;
  readonly found: readonly Found[];
  readonly remainderPicos: number;
}

type AccountAudit = Audited | 'busy';

/** Reads an account between two equal looks at its wallet, so that a live service gives no false alarm. */
const auditAccount = async (engine: Engine, accountId: string): Promise<AccountAudit> => {
  for (let read = 0; read < readsMax; read += 1) {
    const before = await readWalletOf(engine, accountId);
    const facts = await readFacts(engine, accountId);
    const isHosted = engine.host.ledger !== null;
    const usage = await auditRollUps(engine, accountId, facts, isHosted);
    const after = await readWalletOf(engine, accountId);
    if (before === undefined || after === undefined) return { facts, found: [], remainderPicos: 0 };
    // A purge moves what an operation carried without a change that counts.
    if (before.seq === after.seq && before.purgedPicos === after.purgedPicos)
      return {
        facts,
        found: [
          ...checkAccount(after, facts, isHosted),
          ...usage.map((detail) => ({ rule: 'usage_matches_entries', detail }) as const),
        ],
        remainderPicos: after.remainderPicos,
      };
  }
  return 'busy';
};

const ofOperations: ReadonlySet<Violation['rule']> = new Set([
  'no_hold_on_ended',
  'pending_only_while_uncertain',
  'remainder_is_carried',
  'charge_follows_verdict',
  'usage_matches_entries',
]);

/** Charges and states only: a wallet that the host keeps is the host's to sum. */
const withoutWallet = (found: readonly Found[]): readonly Found[] => found.filter(({ rule }) => ofOperations.has(rule));

const projectsOf = ({ storage }: Pick<Engine, 'storage'>, accountId: string): Promise<readonly ProjectRecord[]> =>
  pageAll<ProjectRecord>((last) =>
    storage.list('projectsByAccount', {
      of: accountId,
      limit: listRowsMax,
      ...(last === undefined ? {} : { after: { order: last.createdAtMs, id: last.id } }),
    }),
  );

/**
 * Recomputes every account from its entries and operations, and every project's count from what it keeps, and returns what does not
 * hold. Reads only; memory grows with the rows of the largest account.
 */
export const audit = async (engine: Engine): Promise<AuditReport> => {
  const accounts = await pageAll<AccountRecord>((last) =>
    engine.storage.list('accounts', {
      of: '',
      limit: listRowsMax,
      ...(last === undefined ? {} : { after: { order: last.createdAtMs, id: last.id } }),
    }),
  );
  const violations: Violation[] = [];
  const busy: string[] = [];
  let operations = 0;
  let entries = 0;
  let remainderPicos = 0;
  for (const account of accounts) {
    const audited = await auditAccount(engine, account.id);
    if (audited === 'busy') {
      busy.push(account.id);
      continue;
    }
    operations += audited.facts.operations.length;
    entries += audited.facts.entries.length;
    remainderPicos += audited.remainderPicos;
    const found = engine.host.ledger === null ? audited.found : withoutWallet(audited.found);
    violations.push(...found.map((violation) => ({ ...violation, accountId: account.id })));
    for (const project of await projectsOf(engine, account.id)) {
      const usage = await auditUsage(engine, project.id);
      if (usage.kind === 'busy') busy.push(account.id);
      if (usage.kind === 'differs')
        violations.push({ rule: 'usage_matches_rows', accountId: account.id, detail: usage.detail });
    }
  }
  return { accounts: accounts.length, operations, entries, remainderPicos, violations, busy };
};
