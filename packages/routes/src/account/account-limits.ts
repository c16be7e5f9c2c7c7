import { GatewayError } from '@tollgate/contract';
import { decimalFromMicros, readOwnLimits, type Access, type CallerLimits, type OwnLimits } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { jsonAnswer } from '../json-answer.ts';
import type { Service } from '../service.ts';
import { knownParameters } from './account-query.ts';

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const capsOf = ({ spending }: OwnLimits) =>
  spending.map((cap) => ({
    window: cap.window,
    time_zone: cap.timeZone,
    limit_credits: decimalFromMicros(cap.limitMicros),
    spent_credits: decimalFromMicros(cap.spentMicros),
    reserved_credits: decimalFromMicros(cap.reservedMicros),
    remaining_credits: decimalFromMicros(cap.remainingMicros),
    resets_at: isoOrNull(cap.endsAtMs),
  }));

/** A key that is bound to a model may call that one. */
const modelsOf = ({ model, models }: OwnLimits): readonly string[] | null => (model === null ? models : [model]);

const ratesOf = (limits: CallerLimits | null | undefined) => ({
  requests_per_minute: limits?.requestsPerMinute ?? null,
  tokens_per_minute: limits?.tokensPerMinute ?? null,
  concurrent_requests: limits?.concurrentRequests ?? null,
});

/** GET /account/limits: what the caller's key may do, how far its caps are used, and what it shares with other keys. */
export const getAccountLimits = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  knownParameters(request, []);
  const own = await readOwnLimits(service.engine, access);
  if (own === null) throw new GatewayError('invalid_api_key');
  const body = {
    object: 'account.limits',
    key_id: access.keyId,
    models: modelsOf(own),
    expires_at: isoOrNull(own.expiresAtMs),
    caps: capsOf(own),
    ...ratesOf(own.limits?.key),
    project_limits: ratesOf(own.limits?.project),
    account_limits: ratesOf(own.limits?.account),
  };
  return jsonAnswer(JSON.stringify(body));
};
