import { createPlainBook, type LedgerFaultParts } from './plain-ledger.ts';

/** A way in which a ledger can be wrong. */
export interface LedgerFault {
  readonly name: string;
  /** What the names of the cases begin with that must fail on it. */
  readonly failing: readonly string[];
  readonly fault: LedgerFaultParts;
  /** How long a case may take on it, where it hangs. */
  readonly limitMs?: number;
}

const breathe = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const repeated = 'returns the same to each command that is repeated';
const repeatedAtOnce = 'returns the same to commands that are repeated at the same time';
const otherAmount = 'does not let another amount pass';
const remembers = 'remembers a release';
const frees = 'frees a hold that is released';

export const ledgerFaults: readonly LedgerFault[] = [
  {
    name: 'debits a settlement again that is repeated',
    failing: [repeated, repeatedAtOnce],
    fault: (parts) => ({
      onSettleOf: (hold, command) => {
        if (hold?.state === 'settled') parts.debit(hold.accountId, command.amountMicros);
        return parts.onSettleOf(hold, command);
      },
    }),
  },
  {
    name: 'does not remember the release of what was never reserved',
    failing: [remembers],
    fault: (parts) => ({
      onReleaseOf: (hold, command) => (hold === undefined ? 'released' : parts.onReleaseOf(hold, command)),
    }),
  },
  {
    name: 'forgets an operation that is released',
    failing: [remembers],
    fault: (_, book) => ({
      onReleaseOf: (hold, { operationId }) => {
        if (hold?.state === 'settled') return 'ended';
        book.holds.delete(operationId);
        return 'released';
      },
    }),
  },
  {
    name: 'says of a settled operation that it is released',
    failing: [frees, 'lets a settlement or a release win'],
    fault: (parts) => ({
      onReleaseOf: (hold, command) => (hold?.state === 'settled' ? 'released' : parts.onReleaseOf(hold, command)),
    }),
  },
  {
    name: 'frees the debit of a settled operation that is released',
    failing: [frees],
    fault: (parts) => ({
      onReleaseOf: (hold, command) => {
        if (hold?.state !== 'settled') return parts.onReleaseOf(hold, command);
        parts.debit(hold.accountId, -hold.micros);
        return 'ended';
      },
    }),
  },
  {
    name: 'does nothing where it is to release',
    failing: [frees, remembers],
    fault: () => ({ onReleaseOf: (hold) => (hold?.state === 'settled' ? 'ended' : 'released') }),
  },
  {
    name: 'takes a second settlement with another amount for the first',
    failing: [otherAmount],
    fault: () => ({ onSettleOf: (hold) => (hold?.state === 'settled' ? 'settled' : 'ended') }),
  },
  {
    name: 'settles a second amount on top of the first',
    failing: [otherAmount],
    fault: (parts) => ({
      onSettleOf: (hold, command) => {
        if (hold?.state === 'settled' && command.amountMicros > hold.micros)
          parts.debit(hold.accountId, command.amountMicros - hold.micros);
        return parts.onSettleOf(hold, command);
      },
    }),
  },
  {
    name: 'says ended to a settlement that is repeated',
    failing: [repeated, repeatedAtOnce, otherAmount],
    fault: () => ({ onSettleOf: () => 'ended' }),
  },
  {
    name: 'holds again what is reserved again',
    failing: [repeated],
    fault: (parts) => ({
      onReserveOf: (hold, command) => {
        if (hold.state === 'held')
          parts.keep(command.operationId, { ...hold, micros: hold.micros + command.amountMicros });
        return parts.onReserveOf(hold, command);
      },
    }),
  },
  {
    name: 'asks for free balance again where a reserve is repeated',
    failing: [repeated],
    fault: (parts, _, own) => ({
      onReserveOf: (hold, command) =>
        hold.state === 'held' && !own().canReserve(command) ? 'insufficient' : parts.onReserveOf(hold, command),
    }),
  },
  {
    name: 'sets aside from the whole balance',
    failing: ['sets aside what is free', 'sets no credit aside twice'],
    fault: (_, book) => ({
      canReserve: ({ accountId, amountMicros }) => amountMicros <= (book.balances.get(accountId) ?? 0n),
    }),
  },
  {
    name: 'raises a hold by the amount',
    failing: ['raises a hold to a total'],
    fault: () => ({ raisedTo: (hold, micros) => hold.micros + micros }),
  },
  {
    name: 'lowers a hold',
    failing: ['raises a hold to a total'],
    fault: () => ({ raisedTo: (_, micros) => micros }),
  },
  {
    name: 'opens a hold for an operation that it does not know',
    failing: ['raises a hold to a total'],
    fault: () => ({ canExtend: (hold) => hold === undefined || hold.state === 'held' }),
  },
  {
    name: 'raises a hold that has ended',
    failing: [remembers, 'holds nothing for what has been settled'],
    fault: () => ({ canExtend: (hold) => hold !== undefined }),
  },
  {
    name: 'reserves again what has been settled',
    failing: ['holds nothing for what has been settled'],
    fault: (parts) => ({
      onReserveOf: (hold, command) => (hold.state === 'settled' ? 'reserved' : parts.onReserveOf(hold, command)),
    }),
  },
  {
    name: 'takes what exceeds a hold from what is set aside for others',
    failing: ['takes what exceeds the hold from free balance'],
    fault: (_, book) => ({
      canSettle: ({ accountId }, { amountMicros }) => amountMicros <= (book.balances.get(accountId) ?? 0n),
    }),
  },
  {
    name: 'ends an operation whose settlement there was too little for',
    failing: ['takes what exceeds the hold from free balance'],
    fault: (parts, _, own) => ({
      canSettle: (hold, command) => {
        const can = parts.canSettle(hold, command);
        if (!can) own().keep(command.operationId, { ...hold, state: 'released', micros: 0n });
        return can;
      },
    }),
  },
  {
    name: 'debits what is there where there is too little',
    failing: ['takes what exceeds the hold from free balance'],
    fault: (parts) => ({
      canSettle: (hold, command) => {
        const can = parts.canSettle(hold, command);
        if (!can) parts.debit(hold.accountId, parts.freeOf(hold.accountId));
        return can;
      },
    }),
  },
  {
    name: 'keeps the rest of a hold set aside',
    failing: ['debits what was used once', 'debits every one of many operations'],
    fault: () => ({ leftOf: (hold, micros) => hold.micros - micros }),
  },
  {
    name: 'settles what was never reserved',
    failing: ['settles nothing that was never reserved'],
    fault: (parts) => ({
      onSettleOf: (hold, command) => {
        if (hold !== undefined) return parts.onSettleOf(hold, command);
        parts.debit(command.accountId, command.amountMicros);
        return 'settled';
      },
    }),
  },
  {
    name: 'writes a while after it has read',
    failing: [
      repeatedAtOnce,
      'sets no credit aside twice',
      'takes no credit twice by holds that are raised',
      'lets a settlement or a release win',
      'holds nothing after a release that comes at once',
    ],
    fault: () => ({ pause: breathe }),
  },
  {
    name: 'does not tell accounts apart by case',
    failing: ['keeps accounts and operations apart'],
    fault: (_, book) => ({
      accountOf: (accountId) =>
        [...book.balances.keys()].find((known) => known.toLowerCase() === accountId.toLowerCase()) ?? accountId,
    }),
  },
  {
    name: 'counts in single precision',
    failing: ['keeps the greatest and the smallest amounts exact'],
    fault: (parts) => ({ debit: (accountId, micros) => parts.debit(accountId, BigInt(Math.fround(Number(micros)))) }),
  },
  {
    name: 'debits and ends an operation in two transactions',
    failing: ['does as a whole, or not at all, what was cut off'],
    fault: (parts, book) => ({
      keep: (operationId, hold) => {
        if (book.deaths.armed && hold.state === 'settled') throw new Error('the process died');
        parts.keep(operationId, hold);
      },
    }),
  },
  {
    name: 'keeps operations where they die with it',
    failing: ['has what it answered when it is opened again', 'lets a settlement or a release win'],
    fault: () => {
      const own = createPlainBook();
      return {
        find: (operationId) => own.holds.get(operationId),
        keep: (operationId, hold) => void own.holds.set(operationId, hold),
      };
    },
  },
  {
    name: 'does not answer a release that comes first',
    failing: [remembers],
    limitMs: 200,
    fault: (_, book) => ({
      pause: () => (book.holds.size === 0 || book.holds.has('probe-1') ? breathe() : new Promise(() => undefined)),
    }),
  },
];
