import type { BalanceAlertRecord, Key, Records, WalletRecord, Write } from '@tollgate/storage';
import { availableMicros, changeWallet, emptyWallet, walletWithEntries, type EntryInput } from './wallet.ts';

/** What becomes of the part of a correction that the free balance does not cover. */
export type Shortfall =
  /** The correction is refused as a whole. */
  | 'refuse'
  /** The account owes it: credits that come in pay it first. */
  | 'owe'
  /** The host bears it. */
  | 'forgive';

/** A line of the ledger before it has its number and its time. */
export type Line = Pick<EntryInput, 'kind' | 'amountMicros' | 'operationId' | 'reference'>;

/** An account's credits and debt while one step changes them. */
export interface Funds {
  readonly wallet: WalletRecord;
  readonly owedMicros: bigint;
  readonly lines: readonly Line[];
  /** What its balance is compared with; absent before the first deposit. */
  readonly alert?: BalanceAlertRecord | undefined;
}

/** What entries that pay a debt have for a reference. */
const debtReference = 'owed';

/** The records of an account that a step over its funds needs. */
export const fundsKeys = (accountId: string): readonly Key[] => [
  { table: 'account', id: accountId },
  { table: 'wallet', id: accountId },
  { table: 'debt', id: accountId },
  { table: 'balanceAlert', id: accountId },
];

/** The funds as they are on record; undefined where there is no such account. */
export const findFunds = (records: Records, accountId: string): Funds | undefined =>
  records.get('account', accountId) === undefined
    ? undefined
    : {
        wallet: records.get('wallet', accountId) ?? emptyWallet(accountId),
        owedMicros: records.get('debt', accountId)?.owedMicros ?? 0n,
        lines: [],
        alert: records.get('balanceAlert', accountId),
      };

const smaller = (left: bigint, right: bigint): bigint => (left < right ? left : right);

const changedBy = (lines: readonly Line[]): bigint => lines.reduce((sum, { amountMicros }) => sum + amountMicros, 0n);

/** Credits that no operation has reserved, with what the lines change. */
export const freeMicros = ({ wallet, lines }: Funds): bigint => availableMicros(wallet) + changedBy(lines);

/** The balance with what the lines change. */
export const balanceOf = ({ wallet, lines }: Funds): bigint => wallet.balanceMicros + changedBy(lines);

/** Pays what the account owes out of its free balance. */
export const payDebt = (funds: Funds): Funds => {
  const paidMicros = smaller(funds.owedMicros, freeMicros(funds));
  if (paidMicros <= 0n) return funds;
  const line: Line = {
    kind: 'compensation',
    amountMicros: -paidMicros,
    operationId: null,
    reference: debtReference,
  };
  return { ...funds, owedMicros: funds.owedMicros - paidMicros, lines: [...funds.lines, line] };
};

/** Adds credits, of which a debt is paid first. */
export const addCredits = (funds: Funds, line: Line): Funds => payDebt({ ...funds, lines: [...funds.lines, line] });

/** Takes the free credits up to the amount of a line, which is negative, and owes the rest or leaves it. */
export const takeCredits = (funds: Funds, line: Line, shortfall: 'owe' | 'forgive'): Funds => {
  const dueMicros = -line.amountMicros;
  const takenMicros = smaller(dueMicros, freeMicros(funds));
  const owedMicros = funds.owedMicros + (shortfall === 'owe' ? dueMicros - takenMicros : 0n);
  const lines = takenMicros > 0n ? [...funds.lines, { ...line, amountMicros: -takenMicros }] : funds.lines;
  return { ...funds, owedMicros, lines };
};

export interface WrittenFunds {
  readonly wallet: WalletRecord;
  readonly writes: readonly Write[];
}

/** A share of the balance is a share of what it was after the last deposit. */
const alertWrites = ({ lines, alert }: Funds, { id, balanceMicros: toppedMicros }: WalletRecord): readonly Write[] => {
  if (!lines.some(({ kind }) => kind === 'deposit')) return [];
  const { lowBalanceMicros = null } = alert ?? {};
  return [{ kind: 'put', table: 'balanceAlert', record: { id, lowBalanceMicros, toppedMicros } }];
};

/** The writes of changed funds: one change of the wallet, however many lines explain it. */
export const writeFunds = (funds: Funds, owedBeforeMicros: bigint, createdAtMs: number): WrittenFunds => {
  const { wallet, owedMicros, lines } = funds;
  const changed = changeWallet(wallet, { balanceMicros: changedBy(lines) });
  const done = walletWithEntries(
    changed,
    lines.map((line) => ({ ...line, tariffVersion: null, keyId: null, model: null, createdAtMs })),
  );
  const writes = [...done.writes, ...alertWrites(funds, done.wallet)];
  if (owedMicros === owedBeforeMicros) return { wallet: done.wallet, writes };
  const record = { id: wallet.id, owedMicros };
  return { wallet: done.wallet, writes: [...writes, { kind: 'put', table: 'debt', record }] };
};
