import { limits, type ErrorCode, type LiveConfig } from '@tollgate/contract';
import type { AccessIds } from '../decisions/access.ts';
import { decideFindAccess, liveAccessKeys } from '../decisions/live-access.ts';
import type { OpenCommand } from '../decisions/open.ts';
import { refuseUnfinished } from '../decisions/refuse-unfinished.ts';
import type { Engine } from '../engine.ts';
import { openCommand } from '../open-command.ts';
import { openOnce } from '../open-operation.ts';
import { toldOfRefusal } from '../refused-opening.ts';
import { findModelTariff, holdOf, type Quantities } from '../tariff.ts';
import { hashAccessKey, liveAccessKey } from './live-access-key.ts';

/** All that the route adds to the opening of a session. */
export interface LivePlan {
  readonly access: AccessIds;
  /** Public catalog id. */
  readonly model: string;
  readonly identity: string | null;
  readonly fingerprint: string;
  /** What the first period may use at the most. */
  readonly estimate: Quantities;
  /** Refuses a new session, but not the access of one that exists. */
  readonly refusal: ErrorCode | null;
  readonly config: LiveConfig;
  /** The host's, from which access keys are made. */
  readonly secret: string;
}

/** What opens one socket. */
export interface LiveTicket {
  readonly id: string;
  readonly accessKey: string;
  readonly expiresAtMs: number;
}

export type CreateLiveOutcome =
  | { readonly kind: 'created'; readonly ticket: LiveTicket; readonly replayed: boolean }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly requestId: string | null };

export const liveKind = 'live';
const accessValidMs = limits.liveAccess.validSeconds * 1_000;

const toCommand = (engine: Engine, plan: LivePlan): OpenCommand => {
  const operationId = engine.newId();
  const holdMicros = holdOf(findModelTariff(engine.tariff, plan.model), plan.estimate);
  return {
    ...openCommand(engine, { ...plan, operationId, kind: liveKind, answerForm: 'json', holdMicros }),
    live: {
      accessHash: hashAccessKey(liveAccessKey(plan.secret, operationId)),
      accessValidMs,
      config: plan.config,
    },
  };
};

const findTicket = async (engine: Engine, secret: string, id: string): Promise<CreateLiveOutcome> => {
  const found = await engine.storage.transact(liveAccessKeys(id), decideFindAccess(id));
  switch (found.kind) {
    case 'usable':
      return {
        kind: 'created',
        ticket: { id, accessKey: liveAccessKey(secret, id), expiresAtMs: found.expiresAtMs },
        replayed: true,
      };
    case 'over':
      return { kind: 'refused', code: refuseUnfinished(found.operation.state) ?? 'result_expired', requestId: id };
    case 'missing':
      return { kind: 'refused', code: 'request_in_progress', requestId: null };
  }
};

/**
 * Opens a session with its hold and its access, whole or not at all. A repeat with the same identity and body gets the same
 * access as long as it can be used (idempotency:live:replay).
 */
export const createLiveSession = async (engine: Engine, plan: LivePlan): Promise<CreateLiveOutcome> => {
  const answer = await openOnce(engine, toCommand(engine, plan));
  switch (answer.kind) {
    case 'refused':
    case 'insufficient':
    case 'conflict':
      return toldOfRefusal(answer);
    case 'known':
      return findTicket(engine, plan.secret, answer.operationId);
    case 'started': {
      const { id, createdAtMs } = answer.operation;
      const expiresAtMs = createdAtMs + accessValidMs;
      return {
        kind: 'created',
        ticket: { id, accessKey: liveAccessKey(plan.secret, id), expiresAtMs },
        replayed: false,
      };
    }
  }
};
