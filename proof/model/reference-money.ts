import { bringsEvidence, type MoneyBody } from './command.ts';
import { charge, price, sell } from './reference-prices.ts';
import { accountOf, freeOf, isOver, type Model, type ModelAccount, type ModelOperation, type Moment } from './model.ts';
import { identityOf, open } from './reference-open.ts';
import { coversMore, keepSpent } from './reference-caps.ts';
import { collect, deposit, pay } from './reference-funds.ts';
import { tellEvent } from './reference-events.ts';
import { closeResource, purgeWork, removeWork } from './reference-resources.ts';
import { answerKeptMs, leaseMs, recordKeptMs, retryMs } from './slot.ts';

type Of<K extends MoneyBody['kind']> = Extract<MoneyBody, { readonly kind: K }>;

const extend = (model: Model, { slot, hold }: Of<'extend'>): string => {
  const operation = model.operations.get(slot.operationId);
  if (operation?.state !== 'processing') return 'ended';
  const account = accountOf(model, slot.accountId);
  const more = hold - operation.charged - operation.hold;
  if (more <= 0) return `extended ${account.seq}`;
  if (more > freeOf(model, slot.accountId) || !coversMore(model, operation, more)) return `insufficient ${account.seq}`;
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

type Settlement = Omit<Of<'settle'>, 'kind'> & {
  /** The amount was reported before: it is debited as it is. */
  readonly told?: boolean;
};

const million = 1_000_000;

/** The whole micro-credits to be paid now of what is due, with what the account carries. */
const paidNow = (remainder: number, duePicos: number): number =>
  Math.min(Math.max(0, Math.floor((remainder + duePicos) / million)), Math.ceil(duePicos / million));

const settle = (model: Model, body: Settlement, now: Moment, decided: string | null = null): string => {
  const { slot, measured, fraction, answered, overrun, anomalyId, closing = null, told = false } = body;
  const operation = model.operations.get(slot.operationId);
  if (operation === undefined) return 'missing';
  if (operation.state === 'reserved') return 'not_started';
  if (isOver(operation)) {
    const cost = (operation.charged + operation.absorbed) * million + operation.carried;
    const agrees = operation.state === 'completed' && cost === measured * million + fraction;
    if (!agrees) model.anomalies.add(anomalyId);
    return `ended ${operation.state}`;
  }
  const account = accountOf(model, slot.accountId);
  const duePicos = Math.max(0, (measured - operation.charged) * million + fraction);
  const whole = told ? measured - operation.charged : paidNow(account.remainder, duePicos);
  const due = duePicos === 0 ? 0 : whole;
  const carried = duePicos - due * million;
  const payable = operation.hold + freeOf(model, slot.accountId);
  if (answered) operation.answer = 'stored';
  // A measure takes the place of what was known and decided before it.
  operation.verdict = decided;
  if (decided === null) operation.atLeast = null;
  if (due > payable && overrun === 'pending') {
    const pending = operation.charged + due;
    Object.assign(operation, { state: 'uncertain', pending, carried, owner: null, due: now.ms + retryMs });
    closeResource(model, operation, closing, now);
    return `pending ${account.seq}`;
  }
  const paid = Math.min(due, payable);
  debit(account, paid);
  operation.charged += paid;
  operation.absorbed = due - paid;
  operation.carried = carried;
  account.remainder += carried;
  endOperation(operation, 'completed', now.ms + answerKeptMs);
  account.seq += 1;
  closeResource(model, operation, closing, now);
  tellEvent(model, operation, now);
  for (const id of body.used ?? []) model.uses.delete(`${id}:${slot.operationId}`);
  return `settled ${account.seq}`;
};

type Failure = Pick<Of<'fail'>, 'slot' | 'anomalyId' | 'owner'>;

const fail = (
  model: Model,
  { slot, anomalyId, owner }: Failure,
  now: Moment,
  decided: string | null = null,
): string => {
  const operation = model.operations.get(slot.operationId);
  if (operation === undefined) return 'missing';
  if (operation.state === 'completed') model.anomalies.add(anomalyId);
  if (isOver(operation)) return `ended ${operation.state}`;
  if (owner !== undefined && operation.owner !== owner) return 'lost';
  if (operation.charged > 0) return 'captured';
  operation.carried = 0;
  endOperation(operation, 'failed', operation.createdAtMs + recordKeptMs);
  operation.verdict = decided;
  tellEvent(model, operation, now);
  const account = accountOf(model, slot.accountId);
  account.seq += 1;
  return `failed ${account.seq}`;
};

const doubt = (model: Model, body: Of<'doubt'>, now: Moment): string => {
  const { slot, answered, expiredOwner, closing } = body;
  const operation = model.operations.get(slot.operationId);
  if (operation === undefined) return 'missing';
  if (operation.state === 'reserved') return 'not_started';
  if (isOver(operation)) return `ended ${operation.state}`;
  if (expiredOwner !== null && operation.owner !== expiredOwner)
    return operation.state === 'uncertain' ? 'uncertain' : 'alive';
  if (answered) operation.answer = 'stored';
  if (bringsEvidence(body)) operation.atLeast = body.atLeast ?? null;
  if (operation.state !== 'uncertain') Object.assign(operation, { state: 'uncertain', owner: null, due: null });
  if (closing !== undefined) closeResource(model, operation, closing, now);
  return 'uncertain';
};

/** What a verdict charges, in words: nothing, an amount, or the tokens of a measure. Null where it names nothing to charge. */
const wordsOf = (operation: ModelOperation, { verdict, measured }: Of<'resolve'>): string | null => {
  if (verdict === 'failed') return 'release 0';
  const [kind, amount] =
    verdict === 'executed'
      ? ['charge', measured ?? operation.pending]
      : ['measured', verdict === 'at_least' ? operation.atLeast : (measured ?? 0)];
  return amount === null ? null : `${kind} ${amount}`;
};

/** Once it is decided, what was not said is whatever was decided. */
const isSaidAgain = (operation: ModelOperation, body: Of<'resolve'>): boolean => {
  if (body.verdict === 'executed' && body.measured === null) return operation.verdict?.startsWith('charge ') ?? false;
  return operation.verdict === (wordsOf(operation, body) ?? 'measured 0');
};

const resolve = (model: Model, body: Of<'resolve'>, now: Moment): string => {
  const { slot, anomalyId } = body;
  const operation = model.operations.get(slot.operationId);
  if (operation === undefined) return 'not_uncertain';
  if (operation.state !== 'uncertain') {
    if (operation.verdict === null) return 'not_uncertain';
    return isSaidAgain(operation, body) ? 'repeated' : 'decided_otherwise';
  }
  const words = wordsOf(operation, body);
  if (words === null) return body.verdict === 'executed' ? 'amount_needed' : 'usage_needed';
  if (body.verdict === 'failed') return fail(model, { slot, anomalyId }, now, words);
  const measured = Number(words.split(' ')[1]);
  // What waits for balance was reported, with what its account will carry.
  const fraction = body.verdict === 'executed' && body.measured === null ? operation.carried : 0;
  const told = { slot, measured, fraction, told: true, answered: false, anomalyId };
  return settle(model, { ...told, overrun: 'pending' }, now, words);
};

const retry = (model: Model, { slot, anomalyId }: Of<'retry'>, now: Moment): string => {
  const operation = model.operations.get(slot.operationId);
  if (operation === undefined || operation.pending === null) return 'not_pending';
  const { pending: measured, carried: fraction, verdict } = operation;
  const told = { slot, measured, fraction, told: true, answered: false, anomalyId };
  // What was known at the least stays known with what was decided.
  const { atLeast } = operation;
  const text = settle(model, { ...told, overrun: 'pending' }, now, verdict);
  operation.atLeast = atLeast;
  return text;
};

/** Deferred work is its turn's or it is not: a worker that had it since may have got further, whether or not a worker has it now. */
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
  if (resource?.kind === 'document' && resource.availability === 'follows' && operation.state === 'completed') {
    Object.assign(operation, { owner: null, due: null });
    return 'kept';
  }
  purgeWork(model, slot.operationId);
  // As long as it can be used, its record is kept.
  const goesAt =
    resource?.availability === 'active' && operation.state === 'completed'
      ? null
      : operation.createdAtMs + recordKeptMs;
  if (goesAt === null || goesAt > now.ms) {
    Object.assign(operation, { owner: null, due: goesAt });
    if (operation.answer === 'stored') operation.answer = 'purged';
    return 'answer_purged';
  }
  accountOf(model, slot.accountId).forgotten += operation.carried;
  keepSpent(model, operation);
  model.operations.delete(slot.operationId);
  model.removed.add(slot.operationId);
  const identity = identityOf(slot);
  if (identity !== null) model.identities.delete(identity);
  removeWork(model, slot.operationId);
  return 'record_removed';
};

/** Does what a command about money says and returns it. */
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
    case 'retry':
      return retry(model, body, now);
    case 'deposit':
    case 'compensate':
      return deposit(model, body);
    case 'pay':
      return pay(model, body);
    case 'collect':
      return collect(model, body.accountId);
    case 'renew':
      return renew(model, body, now);
    case 'purge':
      return purge(model, body, now);
    case 'price':
      return price(body.used, body.rounding);
    case 'charge':
      return charge(body);
    case 'sell':
      return sell(body);
    case 'cap':
      if (body.amount === null) model.caps.delete(body.keyId);
      else model.caps.set(body.keyId, { amount: body.amount, window: body.window });
      return 'set';
    case 'access':
      model.statuses.set(body.id, body.status);
      return 'set';
  }
};
