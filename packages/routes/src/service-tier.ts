import { GatewayError, type CatalogModel } from '@tollgate/contract';
import { findKnownModel, soldTiers, type Access } from '@tollgate/engine';
import { isPricedTier, type GenerationCall, type PricedTier, type ServiceTier } from '@tollgate/provider';
import type { OperationRecord } from '@tollgate/storage';
import type { Service } from './service.ts';

/** How the clients of one wire ask for a tier. */
export interface TierWords {
  readonly field: string;
  /** The words that ask for none that has a price. */
  readonly unpriced: readonly string[];
}

const openaiWords: TierWords = { field: 'service_tier', unpriced: ['auto', 'default'] };
export const googleTierWords: TierWords = { field: 'serviceTier', unpriced: ['unspecified', 'standard'] };

/** The tiers that the clients of chat completions and of responses ask for; `auto` and `default` ask for none. */
export type AskedTier = 'auto' | 'default' | 'flex' | 'priority';

/** The tier that a request asks for, as a part of its call; nothing where it asks for none. */
export const tierPart = (asked: AskedTier | null | undefined): Pick<GenerationCall, 'serviceTier'> =>
  isPricedTier(asked) ? { serviceTier: asked } : {};

type Tiered = Pick<GenerationCall, 'serviceTier'>;

const refused = ({ field, unpriced }: TierWords, tier: string, why: string, offered: readonly string[]): GatewayError =>
  new GatewayError('unsupported_parameter', {
    detail: `The field ${field} is ${tier}, ${why}; accepted are ${[...unpriced, ...offered].join(', ')}.`,
  });

type Offering = Pick<Service, 'engine' | 'models'>;

/** A tier that clients may ask for, and what it costs of the standard prices, in millionths. */
export interface OfferedTier {
  readonly tier: PricedTier;
  readonly factor: bigint;
}

/** The tiers that the price list sells for a model, and its provider asks for. */
export const offeredTiers = ({ engine, models }: Offering, model: CatalogModel): readonly OfferedTier[] => {
  const sold = soldTiers(engine, model.id);
  if (sold.size === 0) return [];
  const provider = models.providerOf(model);
  return Array.from(sold, ([tier, factor]) => ({ tier, factor })).filter(
    ({ tier }) => provider?.takesServiceTier?.(tier, model.upstreamId) === true,
  );
};

/** Who asks for a tier of a model, and under which identity. */
export interface TierQuestion {
  readonly access: Access;
  readonly model: CatalogModel;
  readonly call: Tiered;
  readonly identity: string | null;
  /** Those of OpenAI's wires by default. */
  readonly words?: TierWords;
}

/**
 * Refuses a tier that the price list does not sell for the model, or its provider does not ask for: before anything is reserved. What
 * its identity stands for already is replayed, whatever is sold now.
 */
export const checkServiceTier = (service: Offering, question: TierQuestion): undefined | Promise<void> => {
  const { serviceTier } = question.call;
  return isPricedTier(serviceTier) ? requireOffered(service, question, serviceTier) : undefined;
};

const requireOffered = async (
  service: Offering,
  { access, model, identity, words = openaiWords }: TierQuestion,
  serviceTier: PricedTier,
): Promise<void> => {
  const offered = offeredTiers(service, model).map(({ tier }) => tier);
  if (offered.includes(serviceTier)) return;
  if ((await findKnownModel(service.engine, access.projectId, identity)) !== undefined) return;
  throw refused(words, serviceTier, `which is not offered for the model ${model.id}`, offered);
};

/** Refuses a tier where a call is one of several that are charged together, or runs later. */
export const refuseServiceTier = ({ serviceTier }: Tiered, where: string, words: TierWords = openaiWords): void => {
  if (isPricedTier(serviceTier)) throw refused(words, serviceTier, `which is not offered ${where}`, []);
};

const names: Readonly<Record<ServiceTier, string>> = { standard: 'default', flex: 'flex', priority: 'priority' };

const isTier = (text: string): text is ServiceTier => Object.hasOwn(names, text);

/** How an operation was served, or else asked to be; nothing where it asked for no tier. */
export const tierOf = ({
  serviceTier,
  servedTier,
}: Pick<OperationRecord, 'serviceTier' | 'servedTier'>): ServiceTier | undefined => {
  if (serviceTier === null) return undefined;
  const tier = servedTier ?? serviceTier;
  return isTier(tier) ? tier : undefined;
};

/** The same as OpenAI's clients name it. */
export const shownTier = (operation: Pick<OperationRecord, 'serviceTier' | 'servedTier'>): string | undefined => {
  const tier = tierOf(operation);
  return tier && names[tier];
};
