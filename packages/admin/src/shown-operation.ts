import type { LifeEvent, OperationLife } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';
import type { AdminCaller } from './admin-caller.ts';

/** What a customer may know of an operation: not who ran it, what is only estimated, and how the operator decided. */
const ownersView = (operation: OperationRecord) => {
  const { id, projectId, accountId, keyId, kind, model, identity, state, holdMicros, chargedMicros } = operation;
  const { serviceTier, servedTier, usage, errorCode, createdAtMs, endedAtMs } = operation;
  const ids = { id, projectId, accountId, keyId, kind, model, identity };
  return {
    ...ids,
    state,
    holdMicros,
    chargedMicros,
    serviceTier,
    servedTier,
    usage,
    errorCode,
    createdAtMs,
    endedAtMs,
  };
};

/** An operation as a caller may see it. */
export const shownOperation = ({ role }: AdminCaller, operation: OperationRecord): object => {
  if (role === 'owner') return ownersView(operation);
  const { owner: _owner, fingerprint: _fingerprint, ...shown } = operation;
  return shown;
};

const shownEvent = ({ role }: AdminCaller, event: LifeEvent): object | null => {
  if (role === 'operator') return event;
  if (event.kind === 'verdict') return null;
  if (event.kind !== 'attempt') return event;
  const { startedAtMs, durationMs, outcome } = event.attempt;
  return { ...event, attempt: { startedAtMs, durationMs, outcome } };
};

/** The life of an operation as a caller may see it. */
export const shownLife = (caller: AdminCaller, life: OperationLife): object => {
  const events = life.events.flatMap((event) => shownEvent(caller, event) ?? []);
  const parts = caller.role === 'operator' ? life.parts : [];
  return { ...life, operation: shownOperation(caller, life.operation), events, parts };
};
