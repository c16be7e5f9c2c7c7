import { GatewayError, parseLiveRequest, refusedValue, type LiveConfig } from '@tollgate/contract';
import { asObject } from '@tollgate/provider';
import { fieldsAt, modelAt } from '../google-fields.ts';

/** A session as a setup of this dialect asks for it. */
export interface LiveSetupBody {
  readonly model: string | undefined;
  readonly config: LiveConfig;
}

/**
 * A client may ask how its session is taken up again, and the session answers that it is not. One that wants to take a session
 * up would begin another one without knowing.
 */
const checkResumption = (value: unknown): void => {
  if (value === undefined) return;
  const handle = asObject(value)?.['handle'];
  if (handle !== undefined && handle !== null)
    throw new GatewayError('unsupported_parameter', {
      detail: 'The field sessionResumption.handle is not supported: no session is taken up again; accepted is none.',
    });
};

/** The setup of a session: the settings of the contract, with the model beside them. */
export const fromLiveSetup = (value: unknown): LiveSetupBody => {
  const setup = asObject(value);
  if (setup === undefined) throw refusedValue('invalid_request', { path: ['setup'], value, accepted: 'is an object' });
  const { model, sessionResumption, ...config } = setup;
  checkResumption(sessionResumption);
  return { model: modelAt(model, ['setup', 'model']), config: parseLiveRequest({ config }).config };
};

const names = ['uses', 'expireTime', 'newSessionExpireTime', 'bidiGenerateContentSetup', 'fieldMask'];

/** A token as a body asks for it. */
export interface AskedToken extends LiveSetupBody {
  /** For how long it opens a session, and when that session ends. */
  readonly validMs: number | undefined;
  readonly untilMs: number;
}

/** How long a token may be kept before it is used: its hold is reserved until then. */
const validMsMax = 30 * 60_000;
/** How long the session of a token lasts where the body does not say, and at the most. */
const sessionMsDefault = 30 * 60_000;
const sessionMsMax = 20 * 3_600_000;

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** How far from now a moment is; undefined where the field says none. */
const aheadOf = (field: string, value: unknown, nowMs: number, msMax: number): number | undefined => {
  if (value === undefined) return undefined;
  const aheadMs = typeof value === 'string' && timestamp.test(value) ? Date.parse(value) - nowMs : Number.NaN;
  if (aheadMs > 0 && aheadMs <= msMax) return aheadMs;
  throw refusedValue('invalid_request', {
    path: [field],
    value,
    accepted: `is a time such as "2026-11-20T12:00:00Z", at most ${msMax / 60_000} minutes from now`,
  });
};

/** The body of POST /auth_tokens. A token opens one session, whose setup it keeps. */
export const fromAuthToken = (value: unknown, nowMs: number): AskedToken => {
  const fields = fieldsAt(value, [], names);
  const { uses = 1, bidiGenerateContentSetup: setup, fieldMask } = fields;
  if (uses !== 1) throw refusedValue('invalid_request', { path: ['uses'], value: uses, accepted: 'is 1' });
  if (fieldMask !== undefined)
    throw new GatewayError('unsupported_parameter', {
      detail: 'The field fieldMask is not supported: a token fixes the whole setup; accepted is a token without it.',
    });
  if (setup === undefined)
    throw new GatewayError('invalid_request', {
      detail:
        'The field bidiGenerateContentSetup is missing; accepted is the setup of the session that the token opens (liveConnectConstraints).',
    });
  return {
    ...fromLiveSetup(setup),
    validMs: aheadOf('newSessionExpireTime', fields['newSessionExpireTime'], nowMs, validMsMax),
    untilMs: nowMs + (aheadOf('expireTime', fields['expireTime'], nowMs, sessionMsMax) ?? sessionMsDefault),
  };
};
