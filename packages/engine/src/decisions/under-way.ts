import type { Key, OperationRecord, Records, Write } from '@tollgate/storage';
import { isCountedAtEnd, usageChange, usageKey, usageOfOperation, usageWrites } from './quotas.ts';

/** The project whose count the end of an operation changes; every command that may end such an operation names it. */
export interface CountedUnderWay {
  readonly countedIn?: string | undefined;
}

/** Names the project of an operation whose kind counts while it is under way, or from its end on. */
export const countedUnderWay = ({ kind, projectId }: Pick<OperationRecord, 'kind' | 'projectId'>): CountedUnderWay =>
  isCountedAtEnd(kind) ? { countedIn: projectId } : {};

/** The count that a step changes which ends such an operation. */
export const underWayKeys = ({ countedIn }: CountedUnderWay): readonly Key[] =>
  countedIn === undefined ? [] : [usageKey(countedIn)];

/** Counts the end of an operation, in the step that ends it. A step that did not declare the count throws. */
export const underWayWrites = (records: Records, before: OperationRecord, after: OperationRecord): readonly Write[] =>
  usageWrites(records, before.projectId, usageChange(usageOfOperation(before), usageOfOperation(after)));
