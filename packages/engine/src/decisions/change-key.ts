import type { ApiKeyRecord } from '@tollgate/storage';
import { isPastExpiry, pastExpiry } from './past-expiry.ts';
import type { Step } from './step.ts';

/** What of a key a host may change. */
type Changeable = Pick<ApiKeyRecord, 'name' | 'status' | 'expiresAtMs' | 'models' | 'cap' | 'limits' | 'metadata'>;

/** What is not named stays. */
export type ChangeKeyCommand = { readonly [F in keyof Changeable]?: Changeable[F] | undefined } & {
  readonly keyId: string;
};

/** The status that a key takes: a revoked one stays revoked. */
const nextStatus = (key: ApiKeyRecord, asked: ApiKeyRecord['status'] | undefined): ApiKeyRecord['status'] =>
  key.status === 'revoked' ? 'revoked' : (asked ?? key.status);

const chosen = <T>(asked: T | undefined, kept: T): T => (asked === undefined ? kept : asked);

/**
 * Changes what a host may change of a key, switches it off or on, or revokes it for good. A changed cap counts from the next opening;
 * what was spent in a window of the same length stays counted. Null where there is none; an expiry in the past changes nothing.
 */
export const changeKeyStep = (command: ChangeKeyCommand): Step<ApiKeyRecord | typeof pastExpiry | null> => ({
  keys: [{ table: 'apiKey', id: command.keyId }],
  decide: (records, nowMs) => {
    const key = records.get('apiKey', command.keyId);
    if (key === undefined) return { writes: [], answer: null };
    if (isPastExpiry(command.expiresAtMs, { keptMs: key.expiresAtMs, nowMs }))
      return { writes: [], answer: pastExpiry };
    const status = nextStatus(key, command.status);
    const record: ApiKeyRecord = {
      ...key,
      name: chosen(command.name, key.name),
      expiresAtMs: chosen(command.expiresAtMs, key.expiresAtMs),
      models: chosen(command.models, key.models),
      cap: chosen(command.cap, key.cap),
      limits: chosen(command.limits, key.limits),
      metadata: chosen(command.metadata, key.metadata),
      status,
      revokedAtMs: status === 'revoked' ? (key.revokedAtMs ?? nowMs) : null,
    };
    return { writes: [{ kind: 'put', table: 'apiKey', record }], answer: record };
  },
});
