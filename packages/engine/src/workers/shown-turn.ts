import type { OperationRecord } from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import { observedOperation } from '../operations/observed-ledger.ts';
import type { TurnOutcome } from '../ports/observer.ts';

/** What an observer is shown of one turn of work. */
export interface ShownTurn {
  /** The turn calls this provider; the first call of it is its beginning to an observer. */
  readonly call: (provider: string) => void;
  /** The turn is over. Says nothing of a turn that called no provider. */
  readonly end: (outcome: TurnOutcome) => void;
}

/** Shows a turn to the observer; null where no one observes. `turnId` is the name that the turn holds its lease by. */
export const showTurn = (
  { host: { observe } }: Pick<Engine, 'host'>,
  operation: OperationRecord,
  turnId: string,
): ShownTurn | null => {
  if (observe === null) return null;
  let isShown = false;
  return {
    call: (provider) => {
      if (isShown) return;
      isShown = true;
      observe({ kind: 'turn_started', operation: observedOperation(operation), provider, turnId });
    },
    end: (outcome) => {
      if (isShown) observe({ kind: 'turn_ended', operationId: operation.id, turnId, outcome });
    },
  };
};
