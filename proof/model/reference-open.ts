import type { MoneyBody } from './command.ts';
import { accountOf, freeOf, type Model, type ModelOperation, type Moment } from './model.ts';
import { countOpened, coversHold } from './reference-caps.ts';
import { refuseNeeds, registerWork } from './reference-resources.ts';
import { leaseMs, type Slot } from './slot.ts';

/** Identities are scoped to the project. */
export const identityOf = ({ projectId, identity }: Slot): string | null =>
  identity === null ? null : `${projectId}:${identity}`;

/** Why these records admit no request, or null. */
export const accessRefusal = (model: Model, { keyId, projectId, accountId }: Slot): string | null => {
  const key = model.statuses.get(keyId);
  const project = model.statuses.get(projectId);
  const account = model.statuses.get(accountId);
  if (key === 'revoked') return 'invalid_api_key';
  if (key === 'inactive') return 'ai_key_inactive';
  if (project === 'paused') return 'project_paused';
  if (project === 'blocked' || account === 'blocked') return 'access_blocked';
  return account === 'inactive' ? 'ai_contract_inactive' : null;
};

type Of<K extends MoneyBody['kind']> = Extract<MoneyBody, { readonly kind: K }>;

/** Due at once, when no worker takes it, when its lease runs out, or never. */
const dueOf = ({ deferral, accessMs }: Of<'open'>, { ms }: Moment): number | null => {
  if (accessMs !== undefined) return ms + accessMs;
  if (deferral === undefined) return ms + leaseMs;
  return deferral.execution === 'queued' ? ms : null;
};

const openedState = ({ deferral, accessMs }: Of<'open'>): ModelOperation['state'] => {
  if (deferral?.execution === 'nothing') return 'completed';
  return deferral === undefined && accessMs === undefined ? 'processing' : 'reserved';
};

const register = (model: Model, body: Of<'open'>, now: Moment): void => {
  const { slot, fingerprint, owner } = body;
  const identity = identityOf(slot);
  const state = openedState(body);
  model.operations.set(slot.operationId, {
    slot,
    fingerprint,
    createdAtMs: now.ms,
    owner,
    due: dueOf(body, now),
    state,
    hold: state === 'completed' ? 0 : body.hold,
    charged: 0,
    captures: 0,
    pending: null,
    absorbed: 0,
    carried: 0,
    atLeast: null,
    verdict: null,
    answer: 'none',
    counted: state === 'completed' ? [] : countOpened(model, slot),
  });
  if (identity !== null) model.identities.set(identity, { operationId: slot.operationId, fingerprint });
  registerWork(model, body, now);
};

/** Claims the identity, reserves and registers, or changes nothing. */
export const open = (model: Model, body: Of<'open'>, now: Moment): string => {
  const { slot, fingerprint, hold, refused, owner } = body;
  const refusal = accessRefusal(model, slot);
  if (refusal !== null) return `refused ${refusal}`;
  const account = accountOf(model, slot.accountId);
  const own = model.operations.get(slot.operationId);
  const later = openedState(body) !== 'processing';
  if (own !== undefined && now.repeated && own.owner === owner)
    return own.state === 'processing' || later ? `started ${account.seq}` : `known ${slot.operationId}`;
  const identity = identityOf(slot);
  const claim = own
    ? { operationId: slot.operationId, ...own }
    : identity === null
      ? undefined
      : model.identities.get(identity);
  if (claim !== undefined) return `${claim.fingerprint === fingerprint ? 'known' : 'conflict'} ${claim.operationId}`;
  if (refused) return 'refused unsupported_parameter';
  const lacking = refuseNeeds(model, body, now);
  if (lacking !== null) return `refused ${lacking}`;
  const free = freeOf(model, slot.accountId);
  const isFree = openedState(body) === 'completed';
  if (!isFree && !coversHold(model, slot, hold)) return 'refused ai_key_budget_exceeded';
  if (!isFree && hold > free) return `insufficient ${free} ${account.seq}`;
  if (!isFree) account.seq += 1;
  register(model, body, now);
  return `started ${account.seq}`;
};
