import type { Decide, Key } from '@tollgate/storage';

export interface FadeResourceCommand {
  readonly resourceId: string;
  /** The claim under which its time was looked at. */
  readonly claimedBy: string | null;
  readonly work: unknown;
  readonly dueAfterMs: number | null;
}

export const fadeResourceKeys = ({ resourceId }: FadeResourceCommand): readonly Key[] => [
  { table: 'resource', id: resourceId },
];

/** Notes what is left of a resource whose parts have different times; where it stands does not change. */
export const decideFadeResource =
  (command: FadeResourceCommand): Decide<boolean> =>
  (records, nowMs) => {
    const resource = records.get('resource', command.resourceId);
    // Deleted meanwhile, it is due for another reason.
    if (resource === undefined || resource.owner !== command.claimedBy || resource.deletedAtMs !== null)
      return { writes: [], answer: false };
    const dueAtMs = command.dueAfterMs === null ? null : nowMs + command.dueAfterMs;
    const record = { ...resource, work: command.work, owner: null, dueAtMs };
    return { writes: [{ kind: 'put', table: 'resource', record }], answer: true };
  };
