import type { MoneyBody, UsedUnits } from './command.ts';
import { accountOf, freeOf, isOver, type Model, type ModelAccount, type ModelOperation, type Moment } from './model.ts';
import { identityOf, open } from './reference-open.ts';
import { tellEvent } from './reference-events.ts';
import { closeResource, purgeWork, removeWork } from './reference-resources.ts';
import { answerKeptMs, leaseMs, recordKeptMs, retryMs } from './slot.ts';

const ceiling = 10 ** 15;
const picos = { input: 150_001n, cached: 15_000n, output: 600_000n };

type Of<K extends MoneyBody['kind']> = Extract<MoneyBody, { readonly kind: K }>;

const extend = (model: Model, { slot, hold }: Of<'extend'>): string => {
  const operation = model.operations.get(slot.operationId);
  if (operation?.state !== 'processing') return 'ended';
  const account = accountOf(model, slot.accountId);
  const more = hold - operation.charged - operation.hold;
  if (more <= 0) return `extended ${account.seq}`;
  if (more > freeOf(model, slot.accountId)) return `insufficient ${account.seq}`;
  operation.hold += more;
  account.seq += 1;
  return `extended ${account.seq}`;
};

const capture = (model: Model, { slot, sequence, amount }: Of<'capture'>): string => {
  const operation = model.operations.get(slot.operationId);
  if (operation === undefined) return 'ended';
  const account = accountOf(model, slot.accountId);
  if (sequence <= operation.captures) return `captured ${account.seq}`;
  const running = operation.state === 'processing' || operation.state === 'cancelling';
  if (!running || sequence > operation.captures + 1) return 'ended';
  if (amount > operation.hold) return 'insufficient';
  operation.hold -= amount;
  operation.charged += amount;
  operation.captures = sequence;
  debit(account, amount);
  account.seq += 1;
  return `captured ${account.seq}`;
};

const debit = (account: ModelAccount, amount: number): void => {
  account.balance -= amount;
  if (amount > 0) account.entries += 1;
};

/** Ends an operation: nothing of it is held any more. */
export const endOperation = (operation: ModelOperation, state: 'completed' | 'failed', due: number): void => {
  Object.assign(operation, { state, hold: 0, pending: null, owner: null, due });
};

type Settlement = Omit<Of<'settle'>, 'kind'>;

const settle = (model: Model, body: Settlement, now: Moment): string => {
  const { slot, measured, answered, overrun, anomalyId, closing = null } = body;
  const operation = model.operations.get(slot.operationId);
  if (operation === undefined) return 'missing';
  if (operation.state === 'reserved') return 'not_started';
  if (isOver(operation)) {
    const agrees = operation.state === 'completed' && operation.charged + operation.absorbed === measured;
    if (!agrees) model.anomalies.add(anomalyId);
    return `ended ${operation.state}`;
  }
  const account = accountOf(model, slot.accountId);
  const due = Math.max(0, measured - operation.charged);
  const payable = operation.hold + freeOf(model, slot.accountId);
  if (answered) operation.answer = 'stored';
  if (due > payable && overrun === 'pending') {
    Object.assign(operation, { state: 'uncertain', pending: measured, owner: null, due: now.ms + retryMs });
    closeResource(model, operation, closing, now);
    return `pending ${account.seq}`;
  }
  const paid = Math.min(due, payable);
  debit(account, paid);
  operation.charged += paid;
  operation.absorbed = due - paid;
  endOperation(operation, 'completed', now.ms + answerKeptMs);
  account.seq += 1;
  closeResource(model, operation, closing, now);
  tellEvent(model, operation, now);
  for (const id of body.used ?? []) model.uses.delete(`${id}:${slot.operationId}`);
  return `settled ${account.seq}`;
};

type Failure = Pick<Of<'fail'>, 'slot' | 'anomalyId' | 'owner'>;

const fail = (model: Model, { slot, anomalyId, owner }: Failure, now: Moment): string => {
  const operation = model.operations.get(slot.operationId);
  if (operation === undefined) return 'missing';
  if (operation.state === 'completed') model.anomalies.add(anomalyId);
  if (isOver(operation)) return `ended ${operation.state}`;
  if (owner !== undefined && operation.owner !== owner) return 'lost';
  if (operation.charged > 0) return 'captured';
  endOperation(operation, 'failed', operation.createdAtMs + recordKeptMs);
  tellEvent(model, operation, now);
  const account = accountOf(model, slot.accountId);
  account.seq += 1;
  return `failed ${account.seq}`;
};

const doubt = (model: Model, { slot, answered, expiredOwner, closing }: Of<'doubt'>, now: Moment): string => {
  const operation = model.operations.get(slot.operationId);
  if (operation === undefined) return 'missing';
  if (operation.state === 'reserved') return 'not_started';
  if (isOver(operation)) return `ended ${operation.state}`;
  if (expiredOwner !== null && operation.owner !== expiredOwner)
    return operation.state === 'uncertain' ? 'uncertain' : 'alive';
  if (answered) operation.answer = 'stored';
  if (operation.state !== 'uncertain') Object.assign(operation, { state: 'uncertain', owner: null, due: null });
  if (closing !== undefined) closeResource(model, operation, closing, now);
  return 'uncertain';
};

const resolve = (model: Model, { slot, verdict, measured, anomalyId }: Of<'resolve'>, now: Moment): string => {
  const operation = model.operations.get(slot.operationId);
  if (operation?.state !== 'uncertain') return 'not_uncertain';
  if (verdict === 'failed') return fail(model, { slot, anomalyId }, now);
  const amount = measured ?? operation.pending;
  if (amount === null) return 'amount_needed';
  return settle(model, { slot, measured: amount, answered: false, overrun: 'pending', anomalyId }, now);
};

const deposit = (model: Model, { kind, accountId, amount, reference }: Of<'deposit' | 'compensate'>): string => {
  const account = accountOf(model, accountId);
  const earlier = account.deposits.get(reference);
  if (earlier !== undefined) return earlier === amount ? `repeated ${account.seq} ${account.balance}` : 'conflict';
  if (kind === 'compensate' && -amount > freeOf(model, accountId))
    return `insufficient ${account.seq} ${account.balance}`;
  if (account.balance + amount > ceiling) return 'too_large';
  account.balance += amount;
  account.entries += 1;
  account.seq += 1;
  account.deposits.set(reference, amount);
  return `done ${account.seq} ${account.balance}`;
};

/** Deferred work is its turn's or it is not: whoever had it since may have come on, whether or not anybody has it now. */
const isForeign = ({ slot, owner }: ModelOperation, own: string): boolean =>
  slot.kind !== undefined && slot.kind !== 'live' && owner !== own;

const renew = (model: Model, { leases }: Of<'renew'>, now: Moment): string => {
  const lost: string[] = [];
  for (const { slot, owner } of leases) {
    const { operationId } = slot;
    const operation = model.operations.get(operationId);
    const gone = operation === undefined || isOver(operation) || operation.state === 'uncertain';
    if (gone || isForeign(operation, owner)) lost.push(operationId);
    else Object.assign(operation, { owner, due: now.ms + leaseMs });
  }
  return `lost ${lost.join()}`;
};

const purge = (model: Model, { slot, owner }: Of<'purge'>, now: Moment): string => {
  const operation = model.operations.get(slot.operationId);
  if (operation === undefined || !isOver(operation) || operation.owner !== owner) return 'kept';
  const resource = model.resources.get(slot.operationId);
  if (resource?.kind === 'document' && resource.standing === 'follows' && operation.state === 'completed') {
    Object.assign(operation, { owner: null, due: null });
    return 'kept';
  }
  purgeWork(model, slot.operationId);
  // As long as it can be used, its record is kept.
  const goesAt =
    resource?.standing === 'active' && operation.state === 'completed' ? null : operation.createdAtMs + recordKeptMs;
  if (goesAt === null || goesAt > now.ms) {
    Object.assign(operation, { owner: null, due: goesAt });
    if (operation.answer === 'stored') operation.answer = 'purged';
    return 'answer_purged';
  }
  model.operations.delete(slot.operationId);
  model.removed.add(slot.operationId);
  const identity = identityOf(slot);
  if (identity !== null) model.identities.delete(identity);
  removeWork(model, slot.operationId);
  return 'record_removed';
};

const price = ({ input, cached, output }: UsedUnits, rounding: 'up' | 'half_up'): string => {
  const total = picos.input * BigInt(input) + picos.cached * BigInt(cached) + picos.output * BigInt(output);
  const [whole, rest] = [total / 1_000_000n, total % 1_000_000n];
  const up = rounding === 'up' ? rest > 0n : rest >= 500_000n;
  return `${up ? whole + 1n : whole}`;
};

/** Does what a command about money says and answers it. */
export const answerMoney = (model: Model, body: MoneyBody, now: Moment): string => {
  switch (body.kind) {
    case 'open':
      return open(model, body, now);
    case 'extend':
      return extend(model, body);
    case 'capture':
      return capture(model, body);
    case 'settle':
      return settle(model, body, now);
    case 'fail':
      return fail(model, body, now);
    case 'doubt':
      return doubt(model, body, now);
    case 'resolve':
      return resolve(model, body, now);
    case 'deposit':
    case 'compensate':
      return deposit(model, body);
    case 'renew':
      return renew(model, body, now);
    case 'purge':
      return purge(model, body, now);
    case 'price':
      return price(body.used, body.rounding);
    case 'access':
      model.statuses.set(body.id, body.status);
      return 'set';
  }
};
