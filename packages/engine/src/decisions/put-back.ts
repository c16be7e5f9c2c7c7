import type { Key } from '@tollgate/storage';
import { dueAfter } from './due-after.ts';
import type { Step } from './step.ts';

export interface PutBackCommand {
  readonly operationId: string;
  /** The claim that is given up. */
  readonly claimedBy: string;
  readonly afterMs: number;
}

const putBackKeys = ({ operationId }: PutBackCommand): readonly Key[] => [{ table: 'operation', id: operationId }];

/** Gives up a claim on work that was not begun: it is due again a little later. */
export const putBack = (command: PutBackCommand): Step<boolean> => ({
  keys: putBackKeys(command),
  decide: (records, nowMs) => {
    const operation = records.get('operation', command.operationId);
    if (operation === undefined || operation.endedAtMs !== null || operation.owner !== command.claimedBy)
      return { writes: [], answer: false };
    const record = { ...operation, owner: null, dueAtMs: dueAfter(nowMs, command.afterMs) };
    return { writes: [{ kind: 'put', table: 'operation', record }], answer: true };
  },
});
