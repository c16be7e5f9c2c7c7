import { decimalFromMicros, usage, type Access, type UsageRow } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { jsonAnswer } from '../json-answer.ts';
import type { Service } from '../service.ts';
import { parseUsageQuery, usagePlace } from './parse-usage-query.ts';

/** Members without a value are left out of the JSON. */
export const usageBody = (row: UsageRow) => ({
  from: new Date(row.fromMs).toISOString(),
  until: new Date(row.untilMs).toISOString(),
  model: row.model,
  key_id: row.keyId,
  project_id: row.projectId,
  requests: row.requests,
  charged_credits: decimalFromMicros(row.chargedMicros),
  corrected_credits: decimalFromMicros(row.correctedMicros),
  units: row.units,
});

/** GET /account/usage: what the caller's project used. A key sees no other project of its account. */
export const getAccountUsage = async (
  service: Service,
  { accountId, projectId }: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const asked = parseUsageQuery(request, service.engine.clock.wallClockMs());
  const { items, next } = await usage(service.engine, { ...asked, filter: { accountId, projectId } });
  const body = { object: 'list', data: items.map(usageBody), next: next === null ? null : usagePlace(asked, next) };
  return jsonAnswer(JSON.stringify(body));
};
