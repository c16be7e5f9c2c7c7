import type { AccessIds } from '../decisions/access.ts';
import { identityId } from '../decisions/open.ts';
import { availableMicros, emptyWallet } from '../decisions/wallet.ts';
import type { Engine } from '../engine.ts';
import { holdOf, type Estimate } from '../ledger/hold.ts';
import { openingPrices } from '../ledger/operation-prices.ts';

/** An operation that is not opened yet. */
export interface Intent {
  readonly access: AccessIds;
  /** The resource type that it is for; null for an operation without one. */
  readonly kind: string | null;
  /** Public catalog id. */
  readonly model: string;
  /** What it uses at the least, as far as that is known. */
  readonly estimate: Estimate;
  readonly identity: string | null;
}

/** What it is going to hold at the least; null where that is unknown. */
const leastMicros = ({ policy }: Engine, { access, kind, model, estimate }: Intent): bigint | null =>
  holdOf(openingPrices(policy.priceLists.current(), { access, model, kind: kind ?? '' }), estimate);

/**
 * Whether an operation is certain to be refused for want of credits if it were opened now, so that nothing need be computed for
 * it. It reads the wallet and changes nothing; opening decides by itself. What has an identity may be a repeat, which is never
 * refused for that: it lacks balance only where the identity is unused. Of a host's own wallet or identities nothing is said.
 */
export const lacksMeans = async (engine: Engine, intent: Intent): Promise<boolean> => {
  const { access, identity } = intent;
  if (engine.host.ledger !== null || (identity !== null && engine.host.identities !== null)) return false;
  const least = leastMicros(engine, intent);
  if (least === null) return false;
  const claim = identity === null ? null : ({ table: 'identity', id: identityId(access.projectId, identity) } as const);
  const records = await engine.storage.read([
    { table: 'wallet', id: access.accountId },
    ...(claim === null ? [] : [claim]),
  ]);
  if (claim !== null && records.get('identity', claim.id) !== undefined) return false;
  return availableMicros(records.get('wallet', access.accountId) ?? emptyWallet(access.accountId)) < least;
};
