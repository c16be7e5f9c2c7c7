import { isResourceKind } from '@tollgate/contract';
import type { LedgerCommand, OperationRecord } from '@tollgate/storage';
import type { ExtendAnswer, ExtendCommand } from '../decisions/extend.ts';
import type { FailAnswer, FailCommand } from '../decisions/fail.ts';
import type { MoveCommand } from '../decisions/host-moves.ts';
import { isScheduledIdentity } from '../decisions/occurrence-guard.ts';
import { open, type OpenAnswer, type OpenCommand } from '../decisions/open.ts';
import type { SettleAnswer, SettleCommand } from '../decisions/settle.ts';
import { coversMore, spendKeys } from '../decisions/spend.ts';
import { unregister } from '../decisions/unregister.ts';
import { commit, patienceOf, persist } from '../operations/persist.ts';
import { commitMove, type ExternalLedgerOptions } from './ledger-moves.ts';
import { createKeySpends } from './open-within.ts';
import { openWithLedger, sentAgain } from './open-with-ledger.ts';
import type { OperationLedger } from './operation-ledger.ts';

const ledgerCommand = (operation: OperationRecord): LedgerCommand => ({
  operationId: operation.id,
  accountId: operation.accountId,
});

/**
 * Takes back what was never started: the caller has claimed it, so that its opening cannot start it any more. A host's
 * claim of the identity goes before the registration does, as a claim that outlived it would lead to an id whose hold was
 * released.
 */
const abandon = async (
  context: ExternalLedgerOptions,
  operation: OperationRecord,
  command: FailCommand,
): Promise<void> => {
  const { id: operationId, projectId, identity, fingerprint, kind } = operation;
  // The id of a scheduled run is given, and the ledger remembers its release: it fails, where its schedule shows it.
  if (identity === null || isScheduledIdentity(identity)) return void (await failWithLedger(context, command));
  const patience = patienceOf(context);
  const released = await persist(patience, () => context.ledger.release(ledgerCommand(operation)));
  if (released === 'ended') throw new Error('the ledger has settled an operation that was never started');
  const { identities } = context;
  if (identities !== null)
    await persist(patience, () => identities.release({ projectId, identity, fingerprint, operationId }));
  const key = { table: 'resource', id: operationId } as const;
  const resource = isResourceKind(kind) ? (await context.storage.read([key])).get('resource', operationId) : undefined;
  await commit(context, unregister(operation, resource ?? null));
};

/**
 * Tries the amount that is pending once more before another one may take its place: the ledger's refusal, said now, is the
 * only proof that it was not debited by an attempt whose answer was lost.
 */
const settleOtherPending = async (
  context: ExternalLedgerOptions,
  command: SettleCommand,
): Promise<{ readonly settled: SettleAnswer } | { readonly refusedMicros: bigint | null }> => {
  const { operationId: id, measuredMicros } = command;
  // The caller that brings evidence has just run it: nothing was pending before.
  if (command.evidence !== null) return { refusedMicros: null };
  const records = await context.storage.read([{ table: 'operation', id }]);
  const operation = records.get('operation', id);
  const pending = operation?.state === 'uncertain' ? operation.pendingMicros : null;
  if (operation === undefined || pending === null || pending === measuredMicros) return { refusedMicros: null };
  const settled = await payWithLedger(context, operation, command);
  return settled.kind === 'pending' ? { refusedMicros: pending } : { settled };
};

const settleWithLedger = async (context: ExternalLedgerOptions, command: SettleCommand): Promise<SettleAnswer> => {
  const { measuredMicros, answerKeptMs } = command;
  const other = await settleOtherPending(context, command);
  if ('settled' in other) return other.settled;
  const begun = await commitMove(context, command, {
    kind: 'begin_settling',
    pendingMicros: measuredMicros,
    fractionPicos: command.fractionPicos,
    isFixed: command.isFixed,
    refusedMicros: other.refusedMicros,
    evidence: command.evidence,
    verdict: command.verdict,
    answerKeptMs,
    leaseMs: context.limits.leaseMs,
  });
  if (begun.kind === 'missing') return { kind: 'missing' };
  if (begun.operation.endedAtMs !== null) return { kind: 'ended', operation: begun.operation };
  const { holdMicros, pendingMicros } = begun.operation;
  const paid = await payWithLedger(context, begun.operation, command);
  const isBeyond = command.evidence !== null && (pendingMicros ?? 0n) > holdMicros;
  return isBeyond && (paid.kind === 'settled' || paid.kind === 'pending')
    ? { ...paid, beyondHold: { holdMicros } }
    : paid;
};

const payWithLedger = async (
  context: ExternalLedgerOptions,
  operation: OperationRecord,
  command: SettleCommand,
): Promise<SettleAnswer> => {
  const amountMicros = operation.pendingMicros ?? command.measuredMicros;
  const paid = await persist(patienceOf(context), () =>
    context.ledger.settle({ ...ledgerCommand(operation), amountMicros }),
  );
  const move: MoveCommand['move'] =
    paid === 'settled'
      ? { kind: 'complete', chargedMicros: amountMicros, answerKeptMs: command.answerKeptMs }
      : { kind: 'wait', retryMs: command.retryMs };
  const moved = await commitMove(context, command, move);
  if (moved.kind === 'missing') return { kind: 'missing' };
  if (moved.operation.state === 'completed') return { kind: 'settled', operation: moved.operation, walletSeq: 0 };
  return moved.operation.endedAtMs === null
    ? { kind: 'pending', operation: moved.operation, walletSeq: 0 }
    : { kind: 'ended', operation: moved.operation };
};

/** Whether the caps of the operation cover the hold that is wanted. Without one nothing is read. */
const isWithinCaps = async (context: ExternalLedgerOptions, command: ExtendCommand): Promise<boolean> => {
  const { spends = null, operationId, holdMicros } = command;
  if (spends === null) return true;
  const records = await context.storage.read([{ table: 'operation', id: operationId }, ...spendKeys({ spends })]);
  const operation = records.get('operation', operationId);
  if (operation === undefined) return true;
  const more = holdMicros - operation.chargedMicros - operation.holdMicros;
  return more <= 0n || coversMore(records, operation, more);
};

const extendWithLedger = async (context: ExternalLedgerOptions, command: ExtendCommand): Promise<ExtendAnswer> => {
  const { operationId, accountId, holdMicros } = command;
  if (!(await isWithinCaps(context, command))) return { kind: 'insufficient', walletSeq: 0 };
  const amount = { operationId, accountId, amountMicros: holdMicros };
  const extended = await persist(patienceOf(context), () => context.ledger.extend(amount));
  if (extended !== 'extended')
    return extended === 'insufficient' ? { kind: extended, walletSeq: 0 } : { kind: extended };
  const moved = await commitMove(context, command, { kind: 'raise', holdMicros, usage: command.usage ?? null });
  return moved.kind === 'moved' ? { kind: 'extended', operation: moved.operation, walletSeq: 0 } : { kind: 'ended' };
};

/** Its failure was begun before, and the next caller brings it to its end. */
const isFailing = ({ state, pendingMicros }: OperationRecord): boolean =>
  state === 'settling' && pendingMicros === null;

const failWithLedger = async (context: ExternalLedgerOptions, command: FailCommand): Promise<FailAnswer> => {
  const { operationId, accountId, errorCode, attempts, recordKeptMs, verdict } = command;
  const { leaseMs } = context.limits;
  const owner = command.owner ?? null;
  const begun = await commitMove(context, command, { kind: 'begin_failing', errorCode, attempts, leaseMs, owner });
  if (begun.kind === 'missing') return { kind: 'missing' };
  if (begun.operation.endedAtMs !== null) return { kind: 'ended', operation: begun.operation };
  if (owner !== null && begun.operation.owner !== owner && !isFailing(begun.operation))
    return { kind: 'lost', operation: begun.operation };
  // The ledger's word is final: what it has settled before cannot be released, and is no failure any more.
  const released = await persist(patienceOf(context), () => context.ledger.release({ operationId, accountId }));
  if (released === 'ended') return { kind: 'captured', operation: begun.operation };
  const decided = verdict === undefined ? {} : { verdict };
  const failed = await commitMove(context, command, { kind: 'fail', errorCode, recordKeptMs, ...decided });
  if (failed.kind === 'missing') return { kind: 'missing' };
  return failed.operation.state === 'failed'
    ? { kind: 'failed', operation: failed.operation, walletSeq: 0 }
    : { kind: 'ended', operation: failed.operation };
};

/** Reserves nothing, so that no cap counts it. */
const openFree = async (context: ExternalLedgerOptions, command: OpenCommand): Promise<OpenAnswer> => {
  const answer = await commit(context, (attempt) => open(sentAgain(command, attempt)));
  return answer.kind === 'elsewhere' ? { kind: 'refused', code: 'service_unavailable' } : answer;
};

/** The host's wallet: the same states, each durable before and after a command to the host's ledger. */
export const externalLedger = (context: ExternalLedgerOptions, known = createKeySpends()): OperationLedger => ({
  open: (command) =>
    // What costs nothing is no business of the ledger's.
    command.deferred?.execution === 'nothing' ? openFree(context, command) : openWithLedger(context, known, command),
  extend: (command) => extendWithLedger(context, command),
  settle: (command) => settleWithLedger(context, command),
  fail: (command) => failWithLedger(context, command),
  resume: async (operation, commands) => {
    if (operation.state === 'preparing') {
      await abandon(context, operation, commands.fail);
      return true;
    }
    if (operation.state === 'reserved') {
      await failWithLedger(context, commands.fail);
      return true;
    }
    if (operation.state !== 'settling') return false;
    if (operation.pendingMicros === null) await failWithLedger(context, commands.fail);
    else await payWithLedger(context, operation, commands.settle);
    return true;
  },
});
