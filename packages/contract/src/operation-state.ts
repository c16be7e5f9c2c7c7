/** Every state of a charged operation, in the order in which a plain one passes them. */
export const operationStates = [
  'preparing',
  'reserved',
  'processing',
  'cancelling',
  'settling',
  'completed',
  'uncertain',
  'failed',
] as const;
export type OperationState = (typeof operationStates)[number];

// requests:record:states
/** The states that GET /requests/{request_id} shows. */
export const requestStatuses = ['preparing', 'reserved', 'processing', 'completed', 'uncertain', 'failed'] as const;
export type RequestStatus = (typeof requestStatuses)[number];

/** What a move does to the wallet. `settle` debits the measured consumption and releases the surplus. */
export type LedgerEffect = 'none' | 'hold' | 'release' | 'settle';

export interface Transition {
  readonly from: OperationState;
  readonly to: OperationState;
  readonly trigger: string;
  readonly ledgerEffect: LedgerEffect;
}

const move = (from: OperationState, to: OperationState, ledgerEffect: LedgerEffect, trigger: string): Transition =>
  Object.freeze({ from, to, trigger, ledgerEffect });

// requests:move:no-others
/** Every allowed move of an operation; any other is refused. A synchronous kind passes
 * preparing, reserved and processing in one durable step. Renewing a lease or a hold inside `processing` is no move. A
 * confirmed failure frees everything and is never debited, so an operation that consumed anything cannot end `failed`. */
export const transitions: readonly Transition[] = Object.freeze([
  move('preparing', 'reserved', 'hold', 'the estimate is reserved'),
  move('preparing', 'failed', 'none', 'no balance, tariff or access'),
  move('preparing', 'cancelling', 'none', 'cancelled by the client, batches and interactions only'),
  move('reserved', 'processing', 'none', 'handed to the provider'),
  move('reserved', 'cancelling', 'none', 'cancelled by the client, batches and interactions only'),
  move('reserved', 'failed', 'release', 'aborted or abandoned before the hand-over'),
  move('processing', 'cancelling', 'none', 'cancelled by the client, batches and interactions only'),
  move('processing', 'settling', 'none', 'the provider answered and the usage is measured'),
  move('processing', 'completed', 'settle', 'measured and debited in one step'),
  move('processing', 'failed', 'release', 'the provider confirmed a failure'),
  move('processing', 'uncertain', 'none', 'the result or the usage is unknown'),
  move('cancelling', 'settling', 'none', 'stopped or finished, and the usage is known'),
  move('cancelling', 'completed', 'settle', 'stopped, measured and debited in one step'),
  move('cancelling', 'failed', 'release', 'never handed over, or a confirmed failure'),
  move('cancelling', 'uncertain', 'none', 'the result or the usage is unknown'),
  move('settling', 'completed', 'settle', 'the debit is written'),
  move('settling', 'failed', 'release', 'a failure is confirmed and nothing was consumed'),
  move('settling', 'uncertain', 'none', 'the debit could not be written'),
  move('uncertain', 'completed', 'settle', 'a reconciler or an operator confirms the consumption'),
  move('uncertain', 'failed', 'release', 'a reconciler or an operator confirms the failure'),
]);

const allowed: ReadonlySet<string> = new Set(transitions.map(({ from, to }) => `${from}>${to}`));

// requests:move:no-others
/** Tells whether an operation may move from one state to another. */
export const canMove = (from: OperationState, to: OperationState): boolean => allowed.has(`${from}>${to}`);

/** Tells whether a state is final: nothing is held and nothing changes any more. */
export const isEnded = (state: OperationState): state is 'completed' | 'failed' =>
  state === 'completed' || state === 'failed';

// requests:record:states
/** The public status of a state: cancelling and settling show as processing. */
export const requestStatus = (state: OperationState): RequestStatus => {
  switch (state) {
    case 'cancelling':
    case 'settling':
      return 'processing';
    case 'preparing':
    case 'reserved':
    case 'processing':
    case 'completed':
    case 'uncertain':
    case 'failed':
      return state;
  }
};
