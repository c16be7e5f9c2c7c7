import type { ResourceKind } from '@tollgate/contract';
import type { Key, Records, ResourceRecord, Write } from '@tollgate/storage';
import { publicFieldsOf } from './stored-values.ts';
import type { ResourceDraft } from './resource-draft.ts';

/**
 * The member of a parent's public record that counts the resources of a kind which belong to it. They count from the step that
 * registers them until the step that deletes them, or that removes the record of one that failed.
 */
const countMembers: Readonly<Partial<Record<ResourceKind, string>>> = { document: 'document_count' };

const memberOf = (kind: string): string | null =>
  Object.entries(countMembers).find(([counted]) => counted === kind)?.[1] ?? null;

/** Whether resources of this kind are counted by what they belong to. */
const isCounted = (kind: string): boolean => memberOf(kind) !== null;

const recounted = (parent: ResourceRecord, member: string, change: 1 | -1): ResourceRecord => {
  const shown = publicFieldsOf(parent);
  return { ...parent, publicFields: { ...shown, [member]: Math.max(0, Number(shown[member] ?? 0) + change) } };
};

/** The writes that register a resource, with it counted in the parent, which they note a use of. */
export const countedWrites = (writes: readonly Write[], draft: ResourceDraft | null): readonly Write[] => {
  const member = draft === null ? null : memberOf(draft.kind);
  if (draft === null || member === null) return writes;
  return writes.map((write) =>
    write.kind === 'put' && write.table === 'resource' && write.record.id === draft.parent
      ? { ...write, record: recounted(write.record, member, 1) }
      : write,
  );
};

/** A resource that is not to be counted any more, and what it belonged to. */
export interface Uncounted {
  readonly kind: string;
  readonly parent: string | null;
}

export const uncountKeys = (uncounted: Uncounted | null): readonly Key[] =>
  uncounted === null || uncounted.parent === null || !isCounted(uncounted.kind)
    ? []
    : [{ table: 'resource', id: uncounted.parent }];

/** Takes a resource out of the count of its parent, as long as that is shown. */
export const uncountWrites = (records: Records, uncounted: Uncounted | null): readonly Write[] => {
  const [key] = uncountKeys(uncounted);
  const member = memberOf(uncounted?.kind ?? '');
  const parent = key === undefined ? undefined : records.get('resource', key.id);
  return parent === undefined || member === null || parent.availability === 'deleted'
    ? []
    : [{ kind: 'put', table: 'resource', record: recounted(parent, member, -1) }];
};

/** Kinds that stay as they were completed until they are deleted, so that retention leaves them and their results alone. */
export const isKeptUntilDeleted = (resource: ResourceRecord): boolean =>
  resource.kind === 'document' && resource.availability === 'follows';
