import { listRowsMax, type EntryRecord, type OperationRecord } from '@tollgate/storage';
import type { Execution } from './execution.ts';
import { accountId, type World } from './world.ts';

/** What is on record when a history has ended, and what the provider saw. */
export interface FinalFacts {
  readonly operations: ReadonlyMap<string, OperationRecord>;
  readonly entries: readonly EntryRecord[];
  readonly executionsOf: ReadonlyMap<string, readonly Execution[]>;
}

const groupByOperation = (executions: readonly Execution[]): ReadonlyMap<string, readonly Execution[]> => {
  const groups = new Map<string, Execution[]>();
  for (const execution of executions) {
    const group = groups.get(execution.operationId);
    if (group === undefined) groups.set(execution.operationId, [execution]);
    else group.push(execution);
  }
  return groups;
};

export const readFinalFacts = async (world: World): Promise<FinalFacts> => {
  const query = { of: accountId, limit: listRowsMax };
  const operations = await world.storage.list('operationsByAccount', query);
  const entries = await world.storage.list('entriesByAccount', query);
  if (operations.length === listRowsMax || entries.length === listRowsMax)
    throw new Error('a history outgrew one page');
  return {
    operations: new Map(operations.map((operation) => [operation.id, operation])),
    entries: entries.toReversed(),
    executionsOf: groupByOperation(world.executions),
  };
};
