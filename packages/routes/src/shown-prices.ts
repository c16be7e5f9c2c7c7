import type { CatalogModel, ModelPrices } from '@tollgate/contract';
import { decimalFromMicros, pricesNow, type Access, type ModelTariff } from '@tollgate/engine';
import type { Service } from './service.ts';
import { offeredTiers } from './service-tier.ts';

/** Pico-credits a unit are credits a million units, in millionths: the same digits. */
const perMillion = (prices: ModelTariff['picosPerUnit']): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from(prices, ([unit, picos]) => [unit, decimalFromMicros(picos)]));

/** What a model costs the caller now, by its plan and its agreement; null where it has no prices. */
export const shownPrices = (service: Service, access: Access, model: CatalogModel): ModelPrices | null => {
  const prices = pricesNow(service.engine, { access, model: model.id, kind: 'chat' });
  if (prices === null) return null;
  return {
    per_million: perMillion(prices.picosPerUnit),
    request_fee: decimalFromMicros(prices.requestFeeMicros),
    charge_minimum: decimalFromMicros(prices.chargeMinimumMicros),
    tiers: prices.tiers.map(({ fromTokens, picosPerUnit }) => ({
      input_tokens_min: fromTokens,
      per_million: perMillion(picosPerUnit),
    })),
    service_tiers: offeredTiers(service, model).map(({ tier, factor }) => ({
      service_tier: tier,
      factor: decimalFromMicros(factor),
    })),
  };
};
