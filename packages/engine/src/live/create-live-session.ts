import { limits, type ErrorCode, type LiveConfig } from '@tollgate/contract';
import { findAccess } from '../decisions/live-access.ts';
import type { OpenCommand } from '../decisions/open.ts';
import { refuseUnfinished } from '../decisions/refuse-unfinished.ts';
import type { Engine } from '../engine.ts';
import { amountOf, explainHold } from '../operations/explain-hold.ts';
import { judgeHold, type Estimate, type Hold } from '../ledger/hold.ts';
import { openCommand, openOnce, operationIdOf, toldOfRefusal } from '../operations/open-operation.ts';
import { commitOnce } from '../operations/persist.ts';
import { openingPrices } from '../ledger/operation-prices.ts';
import type { Tariff } from '../ledger/tariff.ts';
import { countRequest } from '../limits/count-request.ts';
import type { LimitedCaller } from '../ports/usage-limiter.ts';
import { hashAccessKey, liveAccessKey } from './live-access-key.ts';
import { toStoredSetup } from './live-setup.ts';

/** All that the route adds to the opening of a session. */
export interface LivePlan {
  readonly access: LimitedCaller;
  /** Public catalog id. */
  readonly model: string;
  readonly identity: string | null;
  readonly fingerprint: string;
  /** What the first period may use at the most. */
  readonly estimate: Estimate;
  /** Refuses a new session, but not the access of one that exists. */
  readonly refusal: ErrorCode | null;
  readonly config: LiveConfig;
  /** The origins of pages that may open the socket: those of the caller's token; null for all. */
  readonly origins: readonly string[] | null;
  /** For how long the access opens a socket; 60 seconds by default. */
  readonly validMs?: number | undefined;
  /** When the session ends whatever it pays; a gateway's limit on sessions holds beside it. */
  readonly untilMs?: number | undefined;
  /** The host's, from which access keys are made: new ones from the first. */
  readonly secrets: readonly [string, ...string[]];
}

/** What opens one socket. */
export interface LiveTicket {
  readonly id: string;
  readonly accessKey: string;
  readonly expiresAtMs: number;
}

export type CreateLiveOutcome =
  | { readonly kind: 'created'; readonly ticket: LiveTicket; readonly replayed: boolean }
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      readonly requestId: string | null;
      readonly retryAfterMs?: number | null;
      readonly detail?: string;
    };

export const liveKind = 'live';
const accessValidMs = limits.liveAccess.validSeconds * 1_000;

const toCommand = (engine: Engine, plan: LivePlan, hold: Hold, { version }: Tariff): OpenCommand => {
  const operationId = operationIdOf(engine, plan.access);
  const holdMicros = amountOf(hold);
  return {
    ...openCommand(engine, {
      ...plan,
      operationId,
      kind: liveKind,
      answerForm: 'json',
      holdMicros,
      tariffVersion: version,
    }),
    live: {
      accessHash: hashAccessKey(liveAccessKey(plan.secrets[0], operationId)),
      accessValidMs: plan.validMs ?? accessValidMs,
      origins: plan.origins,
      config: toStoredSetup(plan.config, plan.untilMs),
    },
  };
};

const isKeyOf = (accessKey: string, { accessHash }: { readonly accessHash: string }): boolean =>
  hashAccessKey(accessKey) === accessHash;

const findTicket = async (engine: Engine, secrets: readonly string[], id: string): Promise<CreateLiveOutcome> => {
  const found = await commitOnce(engine, findAccess(id));
  switch (found.kind) {
    case 'usable': {
      const accessKey = secrets.map((secret) => liveAccessKey(secret, id)).find((key) => isKeyOf(key, found));
      // The host has given up the secret that it was made from, so that it cannot be made again.
      if (accessKey === undefined) return { kind: 'refused', code: 'result_expired', requestId: id };
      return { kind: 'created', ticket: { id, accessKey, expiresAtMs: found.expiresAtMs }, replayed: true };
    }
    case 'over':
      return { kind: 'refused', code: refuseUnfinished(found.operation.state) ?? 'result_expired', requestId: id };
    case 'missing':
      return { kind: 'refused', code: 'request_in_progress', requestId: null };
  }
};

// idempotency:live:replay
/**
 * Opens a session with its hold and its access, whole or not at all. A repeat with the same identity and body gets the same
 * access as long as it can be used.
 */
export const createLiveSession = async (engine: Engine, plan: LivePlan): Promise<CreateLiveOutcome> => {
  const refusal =
    engine.host.limiter === null ? null : await countRequest(engine, engine.host.limiter, { ...plan, kind: liveKind });
  if (refusal !== null) return refusal;
  const list = engine.policy.priceLists.current();
  const hold = judgeHold(openingPrices(list, { ...plan, kind: liveKind }), plan.estimate);
  const answer = explainHold(engine, plan, hold, await openOnce(engine, toCommand(engine, plan, hold, list)));
  switch (answer.kind) {
    case 'refused':
    case 'insufficient':
    case 'conflict':
      return toldOfRefusal(answer);
    case 'known':
      return findTicket(engine, plan.secrets, answer.operationId);
    case 'started': {
      const { id, createdAtMs } = answer.operation;
      const expiresAtMs = createdAtMs + (plan.validMs ?? accessValidMs);
      return {
        kind: 'created',
        ticket: { id, accessKey: liveAccessKey(plan.secrets[0], id), expiresAtMs },
        replayed: false,
      };
    }
  }
};
