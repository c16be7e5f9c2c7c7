import type { Decide, Key } from '@tollgate/storage';

export interface ClearResourceCommand {
  readonly resourceId: string;
  /** The claim under which what lay outside was removed. */
  readonly claimedBy: string | null;
}

export const clearResourceKeys = ({ resourceId }: ClearResourceCommand): readonly Key[] => [
  { table: 'resource', id: resourceId },
];

/** Notes that nothing lies outside of the record any more. */
export const decideClearResource =
  (command: ClearResourceCommand): Decide<boolean> =>
  (records) => {
    const resource = records.get('resource', command.resourceId);
    if (resource === undefined || resource.owner !== command.claimedBy) return { writes: [], answer: false };
    const record = { ...resource, work: null, owner: null, dueAtMs: null };
    return { writes: [{ kind: 'put', table: 'resource', record }], answer: true };
  };
