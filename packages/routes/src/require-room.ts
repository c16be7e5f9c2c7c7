import { GatewayError } from '@tollgate/contract';
import { describeQuota, findQuotaRefusal, type Access, type QuotaName } from '@tollgate/engine';
import type { Service } from './service.ts';

/** Refuses before a body is read what the quotas of the project have certainly no room for: one more of a kind, of so many bytes at the least. */
export const requireRoom = async (
  { engine }: Service,
  { projectId }: Access,
  quota: Exclude<QuotaName, 'keptBytes'>,
  keptBytes = 1,
): Promise<void> => {
  const refusal = await findQuotaRefusal(engine, projectId, { [quota]: 1, keptBytes: Math.max(1, keptBytes) });
  if (refusal !== null) throw new GatewayError('quota_exceeded', { detail: describeQuota(refusal) });
};
