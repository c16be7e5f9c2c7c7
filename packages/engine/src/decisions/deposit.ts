import type { DepositRecord, Key, Records, WalletRecord, Write } from '@tollgate/storage';
import { microsMax } from '../ledger/micros.ts';
import {
  addCredits,
  balanceOf,
  findFunds,
  freeMicros,
  fundsKeys,
  payDebt,
  takeCredits,
  writeFunds,
  type Funds,
  type Line,
  type Shortfall,
} from './funds.ts';
import { balanceEventWrites, hostEventKeys, type HostEvents } from './host-event.ts';
import type { Step } from './step.ts';
import { correctionLineKey, correctionLineWrite } from './usage-line.ts';
import { entryIdOf } from './wallet.ts';

export interface DepositCommand {
  readonly accountId: string;
  /** A deposit adds; a compensation is either, and a negative one takes free balance only. */
  readonly kind: 'deposit' | 'compensation';
  readonly amountMicros: bigint;
  /** The caller's name for it, unique in the account: the same again changes nothing. */
  readonly reference: string;
  /** The operation that a compensation corrects. */
  readonly operationId: string | null;
  /** What becomes of a negative amount that the free balance does not cover; refused where nothing is said. */
  readonly shortfall?: Shortfall | undefined;
  /** Tells functions of the host. */
  readonly hostEvents?: HostEvents | undefined;
}

/** What became of a deposit or a correction. */
export type DepositAnswer =
  /** The wallet as it is now, and what the account still owes. */
  | { readonly kind: 'done' | 'repeated'; readonly wallet: WalletRecord; readonly owedMicros: bigint }
  /** The operation that a compensation names belongs to another account. */
  | { readonly kind: 'operation_of_another_account' }
  /** The reference was used for another amount. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'insufficient'; readonly wallet: WalletRecord }
  /** The balance would be beyond every amount. */
  | { readonly kind: 'too_large' }
  | { readonly kind: 'missing' };

/** The id of the record that makes a reference of an account count once. */
export const depositId = ({ accountId, reference }: Pick<DepositCommand, 'accountId' | 'reference'>): string =>
  `${accountId}:${reference}`;

/** The record under which a reference counts once. Its entry is the first of the step; where nothing was free, there is none. */
export const depositRecord = (
  command: Pick<DepositCommand, 'accountId' | 'reference' | 'amountMicros'>,
  funds: Funds,
): DepositRecord => ({
  id: depositId(command),
  entryId: funds.lines.length === 0 ? '' : entryIdOf(command.accountId, funds.wallet.entrySeq + 1),
  amountMicros: command.amountMicros,
});

const applied = (funds: Funds, command: DepositCommand): Funds | 'insufficient' => {
  const { kind, amountMicros, operationId, reference, shortfall = 'refuse' } = command;
  const line: Line = { kind, amountMicros, operationId, reference };
  if (amountMicros >= 0n) return addCredits(funds, line);
  if (shortfall !== 'refuse') return takeCredits(funds, line, shortfall);
  return -amountMicros > freeMicros(funds) ? 'insufficient' : { ...funds, lines: [line] };
};

/** The operation that the command corrects; null where it corrects the account alone, or tops it up. */
const correctedId = ({ kind, operationId }: DepositCommand): string | null =>
  kind === 'compensation' ? operationId : null;

/** What a compensation of an operation needs beside the account: the operation, for who used what, and the line of usage. */
const correctionKeys = (command: DepositCommand): readonly Key[] => {
  const id = correctedId(command);
  return id === null ? [] : [{ table: 'operation', id }, correctionLineKey(depositId(command))];
};

/** An operation that is gone may still be corrected: its record ends with its retention, its entries stay. */
const isOfAnother = (records: Records, command: DepositCommand): boolean => {
  const id = correctedId(command);
  const operation = id === null ? undefined : records.get('operation', id);
  return operation !== undefined && operation.accountId !== command.accountId;
};

/** Usage has what the entries have: less than the command where the account had less. */
const correctionWrites = (
  records: Records,
  command: DepositCommand,
  { lines }: Funds,
  nowMs: number,
): readonly Write[] => {
  const id = correctedId(command);
  const line = lines.find(({ operationId }) => operationId !== null && operationId === id);
  if (line === undefined || line.operationId === null) return [];
  const { amountMicros, operationId } = line;
  const correction = { accountId: command.accountId, depositId: depositId(command), amountMicros };
  return [correctionLineWrite(records.get('operation', operationId), correction, nowMs)];
};

/** Tops up, or corrects by an opposite entry; nothing is ever edited. */
export const depositStep = (command: DepositCommand): Step<DepositAnswer> => ({
  keys: [
    ...fundsKeys(command.accountId),
    { table: 'deposit', id: depositId(command) },
    ...correctionKeys(command),
    ...hostEventKeys(command.hostEvents, ['low_balance', 'threshold']),
  ],
  decide: (records, nowMs) => {
    const before = findFunds(records, command.accountId);
    if (before === undefined) return { writes: [], answer: { kind: 'missing' } };
    const { wallet, owedMicros } = before;
    const earlier = records.get('deposit', depositId(command));
    if (earlier !== undefined) {
      const same = earlier.amountMicros === command.amountMicros;
      return { writes: [], answer: same ? { kind: 'repeated', wallet, owedMicros } : { kind: 'conflict' } };
    }
    if (isOfAnother(records, command)) return { writes: [], answer: { kind: 'operation_of_another_account' } };
    const funds = applied(before, command);
    if (funds === 'insufficient') return { writes: [], answer: { kind: 'insufficient', wallet } };
    if (balanceOf(funds) > microsMax) return { writes: [], answer: { kind: 'too_large' } };
    const done = writeFunds(funds, owedMicros, nowMs);
    const change = { before: wallet, after: done.wallet, nowMs, operation: null };
    return {
      writes: [
        ...done.writes,
        { kind: 'put', table: 'deposit', record: depositRecord(command, funds) },
        ...correctionWrites(records, command, funds, nowMs),
        ...balanceEventWrites(records, command.hostEvents, change),
      ],
      answer: { kind: 'done', wallet: done.wallet, owedMicros: funds.owedMicros },
    };
  },
});

export type CollectAnswer =
  | { readonly kind: 'done' | 'none'; readonly wallet: WalletRecord; readonly owedMicros: bigint }
  | { readonly kind: 'missing' };

/** Pays what an account owes out of credits that came free since. */
export const collectDebt = (accountId: string, hostEvents?: HostEvents): Step<CollectAnswer> => ({
  keys: [...fundsKeys(accountId), ...hostEventKeys(hostEvents, ['low_balance', 'threshold'])],
  decide: (records, nowMs) => {
    const before = findFunds(records, accountId);
    if (before === undefined) return { writes: [], answer: { kind: 'missing' } };
    const funds = payDebt(before);
    const { owedMicros } = funds;
    if (funds === before) return { writes: [], answer: { kind: 'none', wallet: before.wallet, owedMicros } };
    const done = writeFunds(funds, before.owedMicros, nowMs);
    const change = { before: before.wallet, after: done.wallet, nowMs, operation: null };
    return {
      writes: [...done.writes, ...balanceEventWrites(records, hostEvents, change)],
      answer: { kind: 'done', wallet: done.wallet, owedMicros },
    };
  },
});
