import type { OperationRecord } from '@tollgate/storage';
import { isStartedLater, type OpenAnswer, type OpenCommand } from '../decisions/open.ts';
import { register, type RegisterAnswer } from '../decisions/register.ts';
import { unregister } from '../decisions/unregister.ts';
import { commit, patienceOf, persist } from '../operations/persist.ts';
import { commitMove, type ExternalLedgerOptions } from './ledger-moves.ts';
import { openWithin, type KeySpends } from './open-within.ts';

/** A step that was sent before may have registered the operation. */
export const sentAgain = (command: OpenCommand, attempt: number): OpenCommand => ({
  ...command,
  repeated: command.repeated || attempt > 1,
});

const registerWithin = (
  context: ExternalLedgerOptions,
  known: KeySpends,
  command: OpenCommand,
): Promise<RegisterAnswer> =>
  openWithin<RegisterAnswer>(known, command, (counted) =>
    commit(context, (attempt) => register(sentAgain(counted, attempt))),
  );

/** What the opening of an operation takes back of its resource. */
const takeBack = (
  context: ExternalLedgerOptions,
  operation: OperationRecord,
  { deferred }: OpenCommand,
): Promise<'gone' | 'kept'> => commit(context, unregister(operation, deferred?.resource ?? null));

/**
 * Whether an earlier try of the same step has started it, as no other caller can. What is queued may be in the hands of a worker
 * by now, or at its end: that is the worker's concern.
 */
const isStarted = (
  { state, owner: current }: OperationRecord,
  { queued, owner }: { readonly queued: boolean; readonly owner: string },
): boolean => (queued ? state !== 'preparing' && state !== 'failed' : state === 'processing' && current === owner);

/** A sweep took the opening for that of a dead process: nothing of it ran, and a repeat opens it anew. */
const takenBack: OpenAnswer = { kind: 'refused', code: 'service_unavailable' };

/** Sets the hold aside for an operation that is registered, and starts it: no other opening does. */
const startRegistered = async (
  context: ExternalLedgerOptions,
  operation: OperationRecord,
  command: OpenCommand,
): Promise<OpenAnswer> => {
  const { ledger } = context;
  const patience = patienceOf(context);
  const { operationId, accountId, holdMicros, owner, leaseMs } = command;
  let sent = 0;
  const reserved = await persist(patience, (attempt) => {
    sent = attempt;
    return ledger.reserve({ operationId, accountId, amountMicros: holdMicros });
  });
  if (reserved !== 'reserved') {
    // An earlier unconfirmed try may still be on its way: once released, it can set nothing aside.
    if (reserved === 'insufficient' && sent > 1)
      await persist(patience, () => ledger.release({ operationId, accountId }));
    if ((await takeBack(context, operation, command)) === 'kept') return { kind: 'known', operationId };
    return reserved === 'insufficient' ? { kind: reserved, availableMicros: 0n, walletSeq: 0 } : takenBack;
  }
  const queued = isStartedLater(command);
  const queuedMs = queued ? (command.live?.accessValidMs ?? 0) : null;
  const started = await commitMove(context, command, { kind: 'start', holdMicros, owner, leaseMs, queuedMs });
  if (started.kind === 'moved') return { kind: 'started', operation: started.operation, walletSeq: 0 };
  if (started.kind === 'refused' && isStarted(started.operation, { queued, owner }))
    return { kind: 'started', operation: started.operation, walletSeq: 0 };
  // What is uncertain keeps its hold. Otherwise nothing may stay set aside that was taken back or failed while the ledger reserved.
  if (started.kind === 'missing' || started.operation.state !== 'uncertain')
    await persist(patience, () => ledger.release({ operationId, accountId }));
  return started.kind === 'missing' ? takenBack : { kind: 'known', operationId };
};

/**
 * Registers the operation, has the host's ledger set its hold aside, and starts it. The lease is renewed meanwhile, as a ledger may
 * be slow.
 */
export const openWithLedger = async (
  context: ExternalLedgerOptions,
  known: KeySpends,
  command: OpenCommand,
): Promise<OpenAnswer> => {
  const registered = await registerWithin(context, known, command);
  if (registered.kind !== 'prepared') return registered;
  const { operation } = registered;
  return context.running.whilePreparing({ id: operation.id, owner: command.owner }, () =>
    startRegistered(context, operation, command),
  );
};
