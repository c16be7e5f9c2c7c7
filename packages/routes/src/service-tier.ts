import { GatewayError, type CatalogModel } from '@tollgate/contract';
import { findKnownModel, soldTiers, type Access } from '@tollgate/engine';
import { isPricedTier, type GenerationCall, type ServiceTier } from '@tollgate/provider';
import type { OperationRecord } from '@tollgate/storage';
import type { Service } from './service.ts';

/** The tiers that the clients of chat completions and of responses ask for; `auto` and `default` ask for none. */
export type AskedTier = 'auto' | 'default' | 'flex' | 'priority';

/** The tier that a request asks for, as a part of its call; nothing where it asks for none. */
export const tierPart = (asked: AskedTier | null | undefined): Pick<GenerationCall, 'serviceTier'> =>
  isPricedTier(asked) ? { serviceTier: asked } : {};

type Tiered = Pick<GenerationCall, 'serviceTier' | 'upstreamModel'>;

const refused = (tier: string, why: string, accepted: string): GatewayError =>
  new GatewayError('unsupported_parameter', {
    detail: `The field service_tier is ${tier}, ${why}; accepted ${accepted}.`,
  });

/** Who asks for a tier of a model, and under which identity. */
export interface TierQuestion {
  readonly access: Access;
  readonly model: CatalogModel;
  readonly call: Tiered;
  readonly identity: string | null;
}

/**
 * Refuses a tier that the price list does not sell for the model, or its provider does not ask for: before anything is reserved. What
 * its identity stands for already is replayed, whatever is sold now.
 */
export const checkServiceTier = async (
  { engine, models }: Pick<Service, 'engine' | 'models'>,
  { access, model, call: { serviceTier, upstreamModel }, identity }: TierQuestion,
): Promise<void> => {
  if (!isPricedTier(serviceTier)) return;
  const provider = models.providerOf(model);
  const offered = soldTiers(engine, model.id).filter(
    (tier) => provider?.takesServiceTier?.(tier, upstreamModel) === true,
  );
  if (offered.includes(serviceTier)) return;
  if ((await findKnownModel(engine, access.projectId, identity)) !== undefined) return;
  const words = ['auto', 'default', ...offered];
  throw refused(serviceTier, `which is not offered for the model ${model.id}`, `are ${words.join(', ')}`);
};

/** Refuses a tier where a call is one of several that are charged together, or runs later. */
export const refuseServiceTier = ({ serviceTier }: Pick<Tiered, 'serviceTier'>, where: string): void => {
  if (isPricedTier(serviceTier)) throw refused(serviceTier, `which is not offered ${where}`, 'are auto and default');
};

const names: Readonly<Record<ServiceTier, string>> = { standard: 'default', flex: 'flex', priority: 'priority' };

const isTier = (text: string): text is ServiceTier => Object.hasOwn(names, text);

/** How an operation was served, as these clients name it; nothing where it asked for no tier. */
export const shownTier = ({
  serviceTier,
  servedTier,
}: Pick<OperationRecord, 'serviceTier' | 'servedTier'>): string | undefined => {
  if (serviceTier === null) return undefined;
  const tier = servedTier ?? serviceTier;
  return isTier(tier) ? names[tier] : undefined;
};
