import type { ApiKeyRecord } from '@tollgate/storage';
import { isPastExpiry, pastExpiry } from './past-expiry.ts';
import type { Step } from './step.ts';

/** A key as it is asked for; its account is that of its project. */
export type CreateKeyCommand = Omit<
  ApiKeyRecord,
  'accountId' | 'status' | 'createdAtMs' | 'revokedAtMs' | 'lastUsedAtMs'
>;

export interface MadeKey {
  readonly record: ApiKeyRecord;
  readonly isNew: boolean;
}

/**
 * What was there under the id before, or what is made of the command; null where the project takes no keys. A key that would have
 * expired is not made.
 */
export const createKeyStep = (command: CreateKeyCommand): Step<MadeKey | typeof pastExpiry | null> => ({
  keys: [
    { table: 'project', id: command.projectId },
    { table: 'apiKey', id: command.id },
  ],
  decide: (records, nowMs) => {
    const existing = records.get('apiKey', command.id);
    // A step whose outcome was unknown is sent again with the secret that it made.
    if (existing !== undefined)
      return { writes: [], answer: { record: existing, isNew: existing.secretHash === command.secretHash } };
    const project = records.get('project', command.projectId);
    if (project === undefined || project.status === 'closed') return { writes: [], answer: null };
    if (isPastExpiry(command.expiresAtMs, { keptMs: null, nowMs })) return { writes: [], answer: pastExpiry };
    const record: ApiKeyRecord = {
      ...command,
      accountId: project.accountId,
      status: 'active',
      createdAtMs: nowMs,
      revokedAtMs: null,
      lastUsedAtMs: null,
    };
    return { writes: [{ kind: 'put', table: 'apiKey', record }], answer: { record, isNew: true } };
  },
});
