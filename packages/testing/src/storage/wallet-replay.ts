import type { HistoryViolation, LedgerCall, RecordedCall, WalletSums } from './ledger-history.ts';

interface ReplayedOperation {
  readonly identity: string | null;
  readonly fingerprint: string;
  /** When the call that started it was sent, and answered. */
  readonly startedAt: number;
  readonly registeredAt: number;
  state: 'running' | 'pending' | 'ended';
  /** When the call that ended it, or left it pending, was sent. */
  changedAt: number;
  holdMicros: bigint;
  chargedMicros: bigint;
  captures: number;
}

/** What is wrong with a call, and which rule it breaks. */
export type Wrong = Omit<HistoryViolation, 'accountId'>;

/** A wallet replayed change by change; what it comes to is compared with what callers received. */
export interface WalletReplay {
  /** Whether the call would change the wallet as it is now. */
  changes(recorded: RecordedCall): boolean;
  /** Makes the call's change, or says why it could not have been made. */
  apply(recorded: RecordedCall): Wrong | null;
  /** Takes an answer that shows the wallet as it is now; says what it shows wrongly, or null. */
  observe(recorded: RecordedCall): Wrong | null;
  sums(): Omit<WalletSums, 'seq'>;
  operation(id: string): ReplayedOperation | undefined;
  /** The operation that an identity stands for. */
  claim(identity: string): string | undefined;
}

type Of<K extends LedgerCall['kind']> = Extract<LedgerCall, { readonly kind: K }>;

interface State {
  balanceMicros: bigint;
  reservedMicros: bigint;
  remainderPicos: bigint;
  readonly operations: Map<string, ReplayedOperation>;
  readonly claims: Map<string, string>;
  readonly deposits: Map<string, bigint>;
}

const freeOf = (state: State): bigint => state.balanceMicros - state.reservedMicros;

const twice = (detail: string): Wrong => ({ rule: 'executed_twice', detail });
const unjustified = (detail: string): Wrong => ({ rule: 'answer_not_justified', detail });

const open = (state: State, call: Of<'open'>, { startedAt, endedAt }: RecordedCall): Wrong | null => {
  if (state.operations.has(call.operationId)) return twice(`${call.operationId} was started before`);
  const claim = call.identity === null ? undefined : state.claims.get(call.identity);
  if (claim !== undefined) return twice(`${call.identity} stands for ${claim}`);
  if (call.holdMicros > freeOf(state)) return unjustified(`reserves ${call.holdMicros} of ${freeOf(state)}`);
  state.reservedMicros += call.holdMicros;
  if (call.identity !== null) state.claims.set(call.identity, call.operationId);
  const { identity, fingerprint, holdMicros } = call;
  const begun = { state: 'running', changedAt: startedAt, chargedMicros: 0n, captures: 0 } as const;
  state.operations.set(call.operationId, {
    identity,
    fingerprint,
    startedAt,
    registeredAt: endedAt,
    holdMicros,
    ...begun,
  });
  return null;
};

const extend = (state: State, call: Of<'extend'>): Wrong | null => {
  const operation = state.operations.get(call.operationId);
  if (operation?.state !== 'running') return unjustified(`${call.operationId} is not running`);
  const more = call.holdMicros - operation.holdMicros - operation.chargedMicros;
  if (more > freeOf(state)) return unjustified(`extends by ${more} of ${freeOf(state)}`);
  operation.holdMicros += more;
  state.reservedMicros += more;
  return null;
};

const capture = (state: State, call: Of<'capture'>): Wrong | null => {
  const operation = state.operations.get(call.operationId);
  if (operation?.state !== 'running') return unjustified(`${call.operationId} is not running`);
  if (call.amountMicros > operation.holdMicros)
    return unjustified(`captures ${call.amountMicros} of ${operation.holdMicros}`);
  operation.holdMicros -= call.amountMicros;
  operation.chargedMicros += call.amountMicros;
  operation.captures = call.sequence;
  state.reservedMicros -= call.amountMicros;
  state.balanceMicros -= call.amountMicros;
  return null;
};

const picosPerMicro = 1_000_000n;

interface Due {
  readonly micros: bigint;
  /** What is left of the measure, or was taken beyond it. */
  readonly restPicos: bigint;
}

/** What is to be paid now, in whole micro-credits: of the measure and what the account carries together, at the most the measure rounded up. */
const dueOf = (
  { remainderPicos }: State,
  operation: ReplayedOperation,
  { measuredMicros, fractionPicos = 0 }: Of<'settle'>,
): Due => {
  const picos = (measuredMicros - operation.chargedMicros) * picosPerMicro + BigInt(fractionPicos);
  if (picos <= 0n) return { micros: 0n, restPicos: 0n };
  const all = remainderPicos + picos;
  const whole = all > 0n ? all / picosPerMicro : 0n;
  const most = (picos + picosPerMicro - 1n) / picosPerMicro;
  const micros = whole > most ? most : whole;
  return { micros, restPicos: picos - micros * picosPerMicro };
};

const end = (state: State, operation: ReplayedOperation, debitMicros: bigint): void => {
  state.balanceMicros -= debitMicros;
  state.reservedMicros -= operation.holdMicros;
  Object.assign(operation, { state: 'ended', holdMicros: 0n, chargedMicros: operation.chargedMicros + debitMicros });
};

const settle = (state: State, call: Of<'settle'>): Wrong | null => {
  const operation = state.operations.get(call.operationId);
  if (operation === undefined || operation.state === 'ended') return unjustified(`${call.operationId} is not open`);
  const { micros: due, restPicos } = dueOf(state, operation, call);
  const payable = operation.holdMicros + freeOf(state);
  if (due > payable && !call.absorbs) return unjustified(`debits ${due} of ${payable}`);
  end(state, operation, due > payable ? payable : due);
  state.remainderPicos += restPicos;
  return null;
};

const fail = (state: State, call: Of<'fail'>): Wrong | null => {
  const operation = state.operations.get(call.operationId);
  if (operation === undefined || operation.state === 'ended') return unjustified(`${call.operationId} is not open`);
  if (operation.chargedMicros > 0n) return unjustified(`${call.operationId} was debited in part`);
  end(state, operation, 0n);
  return null;
};

const deposit = (state: State, call: Of<'deposit'>): Wrong | null => {
  if (state.deposits.has(call.reference)) return unjustified(`${call.reference} was deposited before`);
  if (-call.amountMicros > freeOf(state)) return unjustified(`takes ${-call.amountMicros} of ${freeOf(state)}`);
  state.balanceMicros += call.amountMicros;
  state.deposits.set(call.reference, call.amountMicros);
  return null;
};

const apply = (state: State, recorded: RecordedCall): Wrong | null => {
  const { call } = recorded;
  switch (call.kind) {
    case 'open':
      return open(state, call, recorded);
    case 'extend':
      return extend(state, call);
    case 'capture':
      return capture(state, call);
    case 'settle':
      return settle(state, call);
    case 'fail':
      return fail(state, call);
    case 'deposit':
      return deposit(state, call);
  }
};

const checkInsufficient = (state: State, call: LedgerCall): Wrong | null => {
  const free = freeOf(state);
  const operation = 'operationId' in call ? state.operations.get(call.operationId) : undefined;
  const enough = (): boolean => {
    switch (call.kind) {
      case 'open':
        return call.holdMicros <= free;
      case 'extend':
        return operation !== undefined && call.holdMicros - operation.holdMicros - operation.chargedMicros <= free;
      case 'capture':
        return operation !== undefined && call.amountMicros <= operation.holdMicros;
      case 'deposit':
        return -call.amountMicros <= free;
      case 'settle':
      case 'fail':
        return true;
    }
  };
  return enough() ? unjustified(`refused for balance although ${free} are free`) : null;
};

const checkPending = (state: State, { call, startedAt }: RecordedCall): Wrong | null => {
  const operation = call.kind === 'settle' ? state.operations.get(call.operationId) : undefined;
  if (call.kind !== 'settle' || operation === undefined || operation.state === 'ended')
    return unjustified('nothing to be pending');
  const payable = operation.holdMicros + freeOf(state);
  if (dueOf(state, operation, call).micros <= payable) return unjustified(`left pending although ${payable} are there`);
  Object.assign(operation, { state: 'pending', changedAt: startedAt });
  return null;
};

const observe = (state: State, recorded: RecordedCall): Wrong | null => {
  const { call, reply } = recorded;
  switch (reply.kind) {
    case 'insufficient':
      if (reply.availableMicros !== undefined && reply.availableMicros !== freeOf(state))
        return unjustified(`told ${reply.availableMicros} free where ${freeOf(state)} were`);
      return checkInsufficient(state, call);
    case 'pending':
      return checkPending(state, recorded);
    case 'repeated':
    case 'done':
      if (call.kind !== 'deposit' || state.deposits.get(call.reference) !== call.amountMicros)
        return unjustified('no such deposit');
      return reply.balanceMicros === state.balanceMicros
        ? null
        : unjustified(`told a balance of ${reply.balanceMicros} where ${state.balanceMicros} was`);
    case 'started':
    case 'extended':
    case 'captured':
    case 'settled':
    case 'failed':
    case 'known':
    case 'conflict':
    case 'ended':
    case 'missing':
    case 'refused':
      return null;
  }
};

const changes = (state: State, { call, reply }: RecordedCall): boolean => {
  const operation = 'operationId' in call ? state.operations.get(call.operationId) : undefined;
  switch (reply.kind) {
    case 'started':
    case 'settled':
    case 'failed':
    case 'done':
      return true;
    case 'extended':
      return (
        call.kind === 'extend' &&
        operation !== undefined &&
        call.holdMicros > operation.holdMicros + operation.chargedMicros
      );
    case 'captured':
      return call.kind === 'capture' && operation !== undefined && call.sequence === operation.captures + 1;
    case 'pending':
    case 'insufficient':
    case 'repeated':
    case 'known':
    case 'conflict':
    case 'ended':
    case 'missing':
    case 'refused':
      return false;
  }
};

/** Starts a replay of an empty wallet. */
export const createWalletReplay = (): WalletReplay => {
  const state: State = {
    balanceMicros: 0n,
    reservedMicros: 0n,
    remainderPicos: 0n,
    operations: new Map(),
    claims: new Map(),
    deposits: new Map(),
  };
  return {
    changes: (recorded) => changes(state, recorded),
    apply: (recorded) => {
      const wrong = apply(state, recorded);
      const operation = 'operationId' in recorded.call ? state.operations.get(recorded.call.operationId) : undefined;
      if (wrong === null && operation?.state === 'ended') operation.changedAt = recorded.startedAt;
      return wrong;
    },
    observe: (recorded) => observe(state, recorded),
    sums: () => ({ balanceMicros: state.balanceMicros, reservedMicros: state.reservedMicros }),
    operation: (id) => state.operations.get(id),
    claim: (identity) => state.claims.get(identity),
  };
};
