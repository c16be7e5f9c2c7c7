import { places, recordKeptMs, type CommandBody, type Slot, type UsedUnits } from './command.ts';

/*
 * What the engine must do, written from the design and not from the engine: plain numbers, mutable, one step at a time.
 * Whatever it says in a line of text, the engine must say too.
 */

export interface ModelOperation {
  readonly slot: Slot;
  readonly fingerprint: string;
  readonly createdAtMs: number;
  state: 'processing' | 'uncertain' | 'completed' | 'failed';
  owner: string | null;
  hold: number;
  charged: number;
  captures: number;
  pending: number | null;
  absorbed: number;
  answer: 'none' | 'stored' | 'purged';
}

export interface ModelAccount {
  balance: number;
  /** Every change counts, so that the changes of a wallet have an order. */
  seq: number;
  entries: number;
  readonly deposits: Map<string, number>;
}

export interface Model {
  readonly operations: Map<string, ModelOperation>;
  readonly accounts: Map<string, ModelAccount>;
  readonly identities: Map<string, { readonly operationId: string; readonly fingerprint: string }>;
  readonly statuses: Map<string, string>;
  readonly anomalies: Set<string>;
}

export const createModel = (prefix = ''): Model => ({
  operations: new Map(),
  accounts: new Map(
    places.map(({ accountId }) => [prefix + accountId, { balance: 0, seq: 0, entries: 0, deposits: new Map() }]),
  ),
  identities: new Map(),
  statuses: new Map(),
  anomalies: new Set(),
});

const ceiling = 10 ** 15;
const picos = { input: 150_001n, cached: 15_000n, output: 600_000n };

const accountOf = (model: Model, id: string): ModelAccount => {
  const account = model.accounts.get(id);
  if (account === undefined) throw new Error(`the model has no account ${id}`);
  return account;
};

/** The holds are the truth: reserved is their sum. */
export const reservedOf = (model: Model, accountId: string): number => {
  let reserved = 0;
  for (const operation of model.operations.values())
    if (operation.slot.accountId === accountId) reserved += operation.hold;
  return reserved;
};

const freeOf = (model: Model, accountId: string): number =>
  accountOf(model, accountId).balance - reservedOf(model, accountId);

const identityOf = ({ projectId, identity }: Slot): string | null =>
  identity === null ? null : `${projectId}:${identity}`;

const accessRefusal = (model: Model, { keyId, projectId, accountId }: Slot): string | null => {
  const key = model.statuses.get(keyId);
  const project = model.statuses.get(projectId);
  const account = model.statuses.get(accountId);
  if (key === 'revoked') return 'invalid_api_key';
  if (key === 'inactive') return 'ai_key_inactive';
  if (project === 'paused') return 'project_paused';
  if (project === 'blocked' || account === 'blocked') return 'access_blocked';
  return account === 'inactive' ? 'ai_contract_inactive' : null;
};

type Of<K extends CommandBody['kind']> = Extract<CommandBody, { readonly kind: K }>;

const open = (model: Model, { slot, fingerprint, hold, refused, owner }: Of<'open'>, now: Moment): string => {
  const refusal = accessRefusal(model, slot);
  if (refusal !== null) return `refused ${refusal}`;
  const account = accountOf(model, slot.accountId);
  const own = model.operations.get(slot.operationId);
  if (own !== undefined && now.repeated && own.owner === owner)
    return own.state === 'processing' ? `started ${account.seq}` : `known ${slot.operationId}`;
  const identity = identityOf(slot);
  const claim = own
    ? { operationId: slot.operationId, ...own }
    : identity === null
      ? undefined
      : model.identities.get(identity);
  if (claim !== undefined) return `${claim.fingerprint === fingerprint ? 'known' : 'conflict'} ${claim.operationId}`;
  if (refused) return 'refused unsupported_parameter';
  const free = freeOf(model, slot.accountId);
  if (hold > free) return `insufficient ${free} ${account.seq}`;
  account.seq += 1;
  const started = { state: 'processing', charged: 0, captures: 0, pending: null, absorbed: 0, answer: 'none' } as const;
  model.operations.set(slot.operationId, { slot, fingerprint, createdAtMs: now.ms, owner, hold, ...started });
  if (identity !== null) model.identities.set(identity, { operationId: slot.operationId, fingerprint });
  return `started ${account.seq}`;
};

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
  if (operation.state !== 'processing' || sequence > operation.captures + 1) return 'ended';
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

const end = (operation: ModelOperation, state: 'completed' | 'failed'): void => {
  Object.assign(operation, { state, hold: 0, pending: null, owner: null });
};

const settle = (
  model: Model,
  {
    slot,
    measured,
    answered,
    overrun,
    anomalyId,
  }: Pick<Of<'settle'>, 'slot' | 'measured' | 'answered' | 'overrun' | 'anomalyId'>,
): string => {
  const operation = model.operations.get(slot.operationId);
  if (operation === undefined) return 'missing';
  if (operation.state === 'completed' || operation.state === 'failed') {
    const agrees = operation.state === 'completed' && operation.charged + operation.absorbed === measured;
    if (!agrees) model.anomalies.add(anomalyId);
    return `ended ${operation.state}`;
  }
  const account = accountOf(model, slot.accountId);
  const due = Math.max(0, measured - operation.charged);
  const payable = operation.hold + freeOf(model, slot.accountId);
  if (answered) operation.answer = 'stored';
  if (due > payable && overrun === 'pending') {
    Object.assign(operation, { state: 'uncertain', pending: measured, owner: null });
    return `pending ${account.seq}`;
  }
  const paid = Math.min(due, payable);
  debit(account, paid);
  operation.charged += paid;
  operation.absorbed = due - paid;
  end(operation, 'completed');
  account.seq += 1;
  return `settled ${account.seq}`;
};

const fail = (model: Model, { slot, anomalyId }: Pick<Of<'fail'>, 'slot' | 'anomalyId'>): string => {
  const operation = model.operations.get(slot.operationId);
  if (operation === undefined) return 'missing';
  if (operation.state === 'completed') model.anomalies.add(anomalyId);
  if (operation.state === 'completed' || operation.state === 'failed') return `ended ${operation.state}`;
  if (operation.charged > 0) return 'captured';
  end(operation, 'failed');
  const account = accountOf(model, slot.accountId);
  account.seq += 1;
  return `failed ${account.seq}`;
};

const doubt = (model: Model, { slot, answered, expiredOwner }: Of<'doubt'>): string => {
  const operation = model.operations.get(slot.operationId);
  if (operation === undefined) return 'missing';
  if (operation.state === 'completed' || operation.state === 'failed') return `ended ${operation.state}`;
  if (expiredOwner !== null && operation.owner !== expiredOwner)
    return operation.state === 'uncertain' ? 'uncertain' : 'alive';
  if (answered) operation.answer = 'stored';
  if (operation.state === 'processing') Object.assign(operation, { state: 'uncertain', owner: null });
  return 'uncertain';
};

const resolve = (model: Model, { slot, verdict, measured, anomalyId }: Of<'resolve'>): string => {
  const operation = model.operations.get(slot.operationId);
  if (operation?.state !== 'uncertain') return 'not_uncertain';
  if (verdict === 'failed') return fail(model, { slot, anomalyId });
  const amount = measured ?? operation.pending;
  if (amount === null) return 'amount_needed';
  return settle(model, { slot, measured: amount, answered: false, overrun: 'pending', anomalyId });
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

const renew = (model: Model, { slots, owner }: Of<'renew'>): string => {
  const lost: string[] = [];
  for (const { operationId } of slots) {
    const operation = model.operations.get(operationId);
    if (operation?.state === 'processing') operation.owner = owner;
    else lost.push(operationId);
  }
  return `lost ${lost.join()}`;
};

const purge = (model: Model, { slot, owner }: Of<'purge'>, now: Moment): string => {
  const operation = model.operations.get(slot.operationId);
  const ended = operation?.state === 'completed' || operation?.state === 'failed';
  if (operation === undefined || !ended || operation.owner !== owner) return 'kept';
  if (operation.createdAtMs + recordKeptMs > now.ms) {
    if (operation.answer === 'stored') operation.answer = 'purged';
    return 'answer_purged';
  }
  model.operations.delete(slot.operationId);
  const identity = identityOf(slot);
  if (identity !== null) model.identities.delete(identity);
  return 'record_removed';
};

const price = ({ input, cached, output }: UsedUnits, rounding: 'up' | 'half_up'): string => {
  const total = picos.input * BigInt(input) + picos.cached * BigInt(cached) + picos.output * BigInt(output);
  const [whole, rest] = [total / 1_000_000n, total % 1_000_000n];
  const up = rounding === 'up' ? rest > 0n : rest >= 500_000n;
  return `${up ? whole + 1n : whole}`;
};

/** When a command arrives, and whether it was sent before. */
export interface Moment {
  readonly ms: number;
  readonly repeated: boolean;
}

/** Does what the command says and answers it. */
export const answerAsModel = (model: Model, body: CommandBody, now: Moment): string => {
  switch (body.kind) {
    case 'open':
      return open(model, body, now);
    case 'extend':
      return extend(model, body);
    case 'capture':
      return capture(model, body);
    case 'settle':
      return settle(model, body);
    case 'fail':
      return fail(model, body);
    case 'doubt':
      return doubt(model, body);
    case 'resolve':
      return resolve(model, body);
    case 'deposit':
    case 'compensate':
      return deposit(model, body);
    case 'renew':
      return renew(model, body);
    case 'purge':
      return purge(model, body, now);
    case 'price':
      return price(body.used, body.rounding);
    case 'access':
      model.statuses.set(body.id, body.status);
      return 'set';
  }
};
