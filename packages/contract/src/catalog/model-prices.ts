import { z } from 'zod';

const PerMillion = z.record(z.string(), z.string()).meta({ description: 'Credits for a million units, by unit.' });

/** What a model costs the caller: on models of a host that shows its prices. Amounts are credits as decimal texts. */
export const ModelPrices = z.looseObject({
  per_million: PerMillion,
  /** In addition, for each request that used anything. */
  request_fee: z.string(),
  /** The least that a request costs which used anything. */
  charge_minimum: z.string(),
  /** In place of the prices above, for the whole of a request with so many input tokens or more. */
  tiers: z.array(z.looseObject({ input_tokens_min: z.number(), per_million: PerMillion })).readonly(),
  /** How else a request may ask to be served; each price of a unit is times the factor then. */
  service_tiers: z.array(z.looseObject({ service_tier: z.string(), factor: z.string() })).readonly(),
});
export type ModelPrices = Readonly<z.infer<typeof ModelPrices>>;
