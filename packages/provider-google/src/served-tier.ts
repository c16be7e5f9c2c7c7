import { asObject, asText, readServedTier, type ServiceTier } from '@tollgate/provider';
import type { WireHeaders } from '@tollgate/provider-http';

/** Where the upstream says how it served a request. */
const tierHeader = 'x-gemini-service-tier';

/** How requests that were paid as they came were served, in the words of the cloud's own service. */
const trafficTiers: ReadonlyMap<unknown, ServiceTier> = new Map<unknown, ServiceTier>([
  ['ON_DEMAND', 'standard'],
  ['ON_DEMAND_PRIORITY', 'priority'],
  ['ON_DEMAND_FLEX', 'flex'],
]);

const lower = (value: unknown): string | undefined => asText(value)?.toLowerCase();

/** How the upstream says that it served one request: in a header, or beside what it counted; undefined where it says nothing known. */
export const readGoogleTier = (headers: WireHeaders, usageMetadata: unknown): ServiceTier | undefined => {
  const usage = asObject(usageMetadata);
  return (
    readServedTier(lower(headers[tierHeader])) ??
    readServedTier(lower(usage?.['serviceTier'])) ??
    trafficTiers.get(usage?.['trafficType'])
  );
};

/** How an answer of several requests was served: as standard where they differ. */
export const sharedTier = (before: ServiceTier | undefined, tier: ServiceTier | undefined): ServiceTier | undefined => {
  if (before === undefined || tier === undefined) return before ?? tier;
  return before === tier ? tier : 'standard';
};
