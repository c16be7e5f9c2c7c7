import type { JsonObject, WebSearchTool } from '@tollgate/provider';
import { refuse } from './refuse.ts';
import type { Vendor } from './vendor.ts';

const limits = ['allowedDomains', 'blockedDomains', 'usesMax'] as const;
type Limit = (typeof limits)[number];

/** Which limits of a search a vendor has, and how they are written. */
const carried: { readonly [V in Vendor]: { readonly [L in Limit]?: (value: unknown) => JsonObject } } = {
  anthropic: {
    allowedDomains: (allowedDomains) => ({ allowedDomains }),
    blockedDomains: (blockedDomains) => ({ blockedDomains }),
    usesMax: (maxUses) => ({ maxUses }),
  },
  openai: { allowedDomains: (allowedDomains) => ({ filters: { allowedDomains } }) },
  google: {},
  openai_compatible: {},
  other: {},
};

/** The arguments that limit a search. Throws `NotExecuted` for a limit that the vendor does not keep. */
export const toSearchLimits = (tool: WebSearchTool, vendor: Vendor): JsonObject => {
  const written = limits.map((limit): JsonObject => {
    if (tool[limit] === undefined) return {};
    const write = carried[vendor][limit];
    return write === undefined ? refuse(`the limit ${limit} of a search`, 'tools') : write(tool[limit]);
  });
  return Object.fromEntries(written.flatMap((members) => Object.entries(members)));
};
