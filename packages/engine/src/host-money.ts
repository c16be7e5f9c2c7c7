import type { CreditLedger, LedgerCommand, OperationRecord, Storage } from '@tollgate/storage';
import type { ExtendAnswer, ExtendCommand } from './decisions/extend.ts';
import type { FailAnswer, FailCommand } from './decisions/fail.ts';
import {
  decideMove,
  decideRegister,
  decideUnregister,
  moveKeys,
  registerKeys,
  unregisterKeys,
  type MoveAnswer,
  type MoveCommand,
} from './decisions/host-moves.ts';
import { decideOpen, isStartedLater, openKeys, type OpenAnswer, type OpenCommand } from './decisions/open.ts';
import type { SettleAnswer, SettleCommand } from './decisions/settle.ts';
import type { EngineLimits } from './engine.ts';
import type { Money } from './money.ts';
import { patienceOf, persist, type PersistOptions } from './persist.ts';

export interface HostMoneyOptions {
  readonly storage: Storage;
  readonly ledger: CreditLedger;
  readonly limits: Pick<EngineLimits, 'persistTriesMax' | 'persistPauseMs' | 'leaseMs'>;
  readonly sleep: (ms: number) => Promise<void>;
}

interface Context {
  readonly storage: Storage;
  readonly ledger: CreditLedger;
  readonly patience: PersistOptions;
  readonly leaseMs: number;
}

const makeMove = (
  context: Context,
  operation: Pick<MoveCommand, 'operationId' | 'hasResource' | 'notice'>,
  move: MoveCommand['move'],
): Promise<MoveAnswer> => {
  const { operationId, hasResource, notice } = operation;
  const command: MoveCommand = {
    operationId,
    move,
    ...(hasResource === true ? { hasResource } : {}),
    ...(notice === undefined ? {} : { notice }),
  };
  return persist(context.patience, () => context.storage.transact(moveKeys(command), decideMove(command)));
};

const openWithLedger = async (context: Context, command: OpenCommand): Promise<OpenAnswer> => {
  const { storage, ledger, patience } = context;
  const registered = await persist(patience, (attempt) => {
    const sent = { ...command, repeated: command.repeated || attempt > 1 };
    return storage.transact(registerKeys(sent), decideRegister(sent));
  });
  if (registered.kind !== 'prepared') return registered;
  const { operationId, accountId, holdMicros } = command;
  let sent = 0;
  const reserved = await persist(patience, (attempt) => {
    sent = attempt;
    return ledger.reserve({ operationId, accountId, amountMicros: holdMicros });
  });
  // Released already: the sweep has taken the operation for abandoned, and fails it.
  if (reserved === 'ended') return { kind: 'known', operationId };
  if (reserved === 'insufficient') {
    const { operation } = registered;
    const uncounted = command.deferred?.resource ?? null;
    // An earlier try that nobody confirmed may still be on its way: once released, it can set nothing aside.
    if (sent > 1) await persist(patience, () => ledger.release({ operationId, accountId }));
    const left = await persist(patience, () =>
      storage.transact(unregisterKeys(operation, uncounted), decideUnregister(operation, uncounted)),
    );
    return left === 'gone'
      ? { kind: 'insufficient', availableMicros: 0n, walletSeq: 0 }
      : { kind: 'known', operationId };
  }
  const { owner, leaseMs } = command;
  const queued = isStartedLater(command);
  const queuedMs = queued ? (command.live?.accessValidMs ?? 0) : null;
  const started = await makeMove(context, command, { kind: 'start', holdMicros, owner, leaseMs, queuedMs });
  if (started.kind === 'moved') return { kind: 'started', operation: started.operation, walletSeq: 0 };
  const stands = queued || (started.kind === 'refused' && started.operation.state === 'processing');
  if (started.kind === 'refused' && stands && started.operation.owner === owner)
    return { kind: 'started', operation: started.operation, walletSeq: 0 };
  // Somebody decided the operation while the ledger reserved: nothing may stay set aside for it.
  await persist(patience, () => ledger.release({ operationId, accountId }));
  return { kind: 'known', operationId };
};

const ledgerCommand = (operation: OperationRecord): LedgerCommand => ({
  operationId: operation.id,
  accountId: operation.accountId,
});

/**
 * Tries the amount that is pending once more before another one may take its place: the ledger's refusal, said now, is the
 * only proof that it was not debited by an attempt whose answer was lost.
 */
const settleOtherPending = async (
  context: Context,
  command: SettleCommand,
): Promise<{ readonly settled: SettleAnswer } | { readonly refusedMicros: bigint | null }> => {
  const { operationId: id, measuredMicros } = command;
  // Whoever brings evidence has just run it: nothing was pending before.
  if (command.evidence !== null) return { refusedMicros: null };
  const records = await context.storage.read([{ table: 'operation', id }]);
  const operation = records.get('operation', id);
  const pending = operation?.state === 'uncertain' ? operation.pendingMicros : null;
  if (operation === undefined || pending === null || pending === measuredMicros) return { refusedMicros: null };
  const settled = await payWithLedger(context, operation, command);
  return settled.kind === 'pending' ? { refusedMicros: pending } : { settled };
};

const settleWithLedger = async (context: Context, command: SettleCommand): Promise<SettleAnswer> => {
  const { measuredMicros, answerKeptMs } = command;
  const other = await settleOtherPending(context, command);
  if ('settled' in other) return other.settled;
  const begun = await makeMove(context, command, {
    kind: 'begin_settling',
    pendingMicros: measuredMicros,
    refusedMicros: other.refusedMicros,
    evidence: command.evidence,
    answerKeptMs,
    leaseMs: context.leaseMs,
  });
  if (begun.kind === 'missing') return { kind: 'missing' };
  if (begun.operation.endedAtMs !== null) return { kind: 'ended', operation: begun.operation };
  return payWithLedger(context, begun.operation, command);
};

const payWithLedger = async (
  context: Context,
  operation: OperationRecord,
  command: SettleCommand,
): Promise<SettleAnswer> => {
  const amountMicros = operation.pendingMicros ?? command.measuredMicros;
  const paid = await persist(context.patience, () =>
    context.ledger.settle({ ...ledgerCommand(operation), amountMicros }),
  );
  const move: MoveCommand['move'] =
    paid === 'settled'
      ? { kind: 'complete', chargedMicros: amountMicros, answerKeptMs: command.answerKeptMs }
      : { kind: 'wait', retryMs: command.retryMs };
  const moved = await makeMove(context, command, move);
  if (moved.kind === 'missing') return { kind: 'missing' };
  if (moved.operation.state === 'completed') return { kind: 'settled', operation: moved.operation, walletSeq: 0 };
  return moved.operation.endedAtMs === null
    ? { kind: 'pending', operation: moved.operation, walletSeq: 0 }
    : { kind: 'ended', operation: moved.operation };
};

const extendWithLedger = async (context: Context, command: ExtendCommand): Promise<ExtendAnswer> => {
  const { operationId, accountId, holdMicros } = command;
  const amount = { operationId, accountId, amountMicros: holdMicros };
  const extended = await persist(context.patience, () => context.ledger.extend(amount));
  if (extended !== 'extended')
    return extended === 'insufficient' ? { kind: extended, walletSeq: 0 } : { kind: extended };
  const moved = await makeMove(context, command, { kind: 'raise', holdMicros, usage: command.usage ?? null });
  return moved.kind === 'moved' ? { kind: 'extended', operation: moved.operation, walletSeq: 0 } : { kind: 'ended' };
};

/** Its failure was begun before, and whoever comes brings it to its end. */
const isFailing = ({ state, pendingMicros }: OperationRecord): boolean =>
  state === 'settling' && pendingMicros === null;

const failWithLedger = async (context: Context, command: FailCommand): Promise<FailAnswer> => {
  const { operationId, accountId, errorCode, attempts, recordKeptMs } = command;
  const { leaseMs } = context;
  const owner = command.owner ?? null;
  const begun = await makeMove(context, command, { kind: 'begin_failing', errorCode, attempts, leaseMs, owner });
  if (begun.kind === 'missing') return { kind: 'missing' };
  if (begun.operation.endedAtMs !== null) return { kind: 'ended', operation: begun.operation };
  if (owner !== null && begun.operation.owner !== owner && !isFailing(begun.operation))
    return { kind: 'lost', operation: begun.operation };
  // The ledger's word is final: what it has settled before cannot be released, and is no failure any more.
  const released = await persist(context.patience, () => context.ledger.release({ operationId, accountId }));
  if (released === 'ended') return { kind: 'captured', operation: begun.operation };
  const failed = await makeMove(context, command, { kind: 'fail', errorCode, recordKeptMs });
  if (failed.kind === 'missing') return { kind: 'missing' };
  return failed.operation.state === 'failed'
    ? { kind: 'failed', operation: failed.operation, walletSeq: 0 }
    : { kind: 'ended', operation: failed.operation };
};

const openFree = (storage: Storage, command: OpenCommand): Promise<OpenAnswer> =>
  storage.transact(openKeys(command), decideOpen(command));

/** The host's wallet: the same states, each durable before and after a command to the host's ledger. */
export const hostMoney = ({ storage, ledger, limits, sleep }: HostMoneyOptions): Money => {
  const patience = patienceOf({ limits, sleep });
  const context: Context = { storage, ledger, patience, leaseMs: limits.leaseMs };
  return {
    open: (command) =>
      // What costs nothing is no business of the ledger's.
      command.deferred?.execution === 'nothing'
        ? persist(patience, (attempt) => openFree(storage, { ...command, repeated: command.repeated || attempt > 1 }))
        : openWithLedger(context, command),
    extend: (command) => extendWithLedger(context, command),
    settle: (command) => settleWithLedger(context, command),
    fail: (command) => failWithLedger(context, command),
    resume: async (operation, commands) => {
      if (operation.state === 'preparing' || operation.state === 'reserved') {
        await failWithLedger(context, commands.fail);
        return true;
      }
      if (operation.state !== 'settling') return false;
      if (operation.pendingMicros === null) await failWithLedger(context, commands.fail);
      else await payWithLedger(context, operation, commands.settle);
      return true;
    },
  };
};
