import { listRowsMax, type EntryRecord, type OperationRecord, type Storage } from '@tollgate/storage';
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

/** The operations and entries of the account as they are on record. */
export const readAccount = async (storage: Storage): Promise<Pick<FinalFacts, 'operations' | 'entries'>> => {
  const query = { of: accountId, limit: listRowsMax };
  const operations = await storage.list('operationsByAccount', query);
  const entries = await storage.list('entriesByAccount', query);
  if (operations.length === listRowsMax || entries.length === listRowsMax)
    throw new Error('a history outgrew one page');
  return {
    operations: new Map(operations.map((operation) => [operation.id, operation])),
    entries: entries.toReversed(),
  };
};

export const readFinalFacts = async (world: World): Promise<FinalFacts> => ({
  ...(await readAccount(world.storage)),
  executionsOf: groupByOperation(world.executions),
});
