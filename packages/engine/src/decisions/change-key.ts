import type { ApiKeyRecord } from '@tollgate/storage';
import type { Step } from './step.ts';

export interface ChangeKeyCommand {
  readonly keyId: string;
  readonly name?: string | undefined;
  readonly status?: ApiKeyRecord['status'] | undefined;
}

/** The status that a key takes: a revoked one stays revoked. */
const nextStatus = (key: ApiKeyRecord, asked: ApiKeyRecord['status'] | undefined): ApiKeyRecord['status'] =>
  key.status === 'revoked' ? 'revoked' : (asked ?? key.status);

/** Renames a key, switches it off or on, or revokes it for good. Null where there is none. */
export const changeKeyStep = (command: ChangeKeyCommand): Step<ApiKeyRecord | null> => ({
  keys: [{ table: 'apiKey', id: command.keyId }],
  decide: (records, nowMs) => {
    const key = records.get('apiKey', command.keyId);
    if (key === undefined) return { writes: [], answer: null };
    const status = nextStatus(key, command.status);
    const record: ApiKeyRecord = {
      ...key,
      name: command.name ?? key.name,
      status,
      revokedAtMs: status === 'revoked' ? (key.revokedAtMs ?? nowMs) : null,
    };
    return { writes: [{ kind: 'put', table: 'apiKey', record }], answer: record };
  },
});
