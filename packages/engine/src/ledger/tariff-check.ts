import {
  also,
  cameIn,
  checkOf,
  faultAt,
  flag,
  list,
  oneOf,
  optionsCheck,
  required,
  table,
  tableOf,
  text,
  whole,
  type ConfigurationFault,
  type OptionCheck,
} from '@tollgate/contract/configuration';
import { pricedTiers, usageUnits, type PricedTier, type UsageUnit } from '@tollgate/provider';
import { microsMax, parseMillionths } from './micros.ts';
import type {
  BatchTariffInput,
  ModelLayerInput,
  ModelTariffInput,
  PriceLayerInput,
  ProviderPricesInput,
  TariffInput,
  PriceTierInput,
} from './tariff-input.ts';

/** Longest name of a price list, in characters. */
const versionCharsMax = 256;

/** A decimal with at most six places, not negative. */
const decimal = (accepted: string, millionthsMax: bigint | null = null): OptionCheck<string | number> =>
  checkOf((value, place): readonly ConfigurationFault[] => {
    const millionths = typeof value === 'string' || typeof value === 'number' ? parseMillionths(value) : null;
    const isSound = millionths !== null && millionths >= 0n && (millionthsMax === null || millionths <= millionthsMax);
    return isSound ? [] : faultAt(place, cameIn(value), accepted);
  });

const sixPlaces = "is a decimal of at least 0 with at most six places, as in '2.5'";
const price = decimal(`${sixPlaces}, in credits for a million units`);
/** Credits of one operation. */
const credits = decimal(`${sixPlaces}, in credits, up to 1,000,000,000`, microsMax);
/** A factor of 0 would give everything away; what is free says so by prices of 0. */
const factor = also(
  decimal("is a decimal above 0 with at most six places, as in '0.5', a part of the direct price"),
  (given, place) =>
    parseMillionths(given) === 0n
      ? faultAt(
          place,
          `${cameIn(given)}, and would make everything free`,
          "is a decimal above 0; what is free has the price '0' by unit",
        )
      : [],
);

const prices = tableOf<UsageUnit, string | number>(usageUnits, price);

const serviceTiers = tableOf<PricedTier, string | number>(pricedTiers, factor);

const batch = optionsCheck<BatchTariffInput>({ factor, perMillion: prices });

/** Thresholds of one model. */
const tiersMax = 16;

const tier = optionsCheck<PriceTierInput>({
  above: required(whole()),
  inclusive: flag(),
  perMillion: required(prices),
});

/** Tiers of which no two begin at the same length. */
const tiers = also(list(tier), (given, place) => {
  if (given.length > tiersMax) return faultAt(place, `has ${given.length} tiers`, `are at most ${tiersMax}`);
  const begins = given.map(({ above, inclusive = false }) => (inclusive ? above : above + 1));
  return new Set(begins).size === begins.length
    ? []
    : faultAt(place, 'has two tiers that begin at one length', 'are tiers that each begin at another');
});

const model = optionsCheck<ModelTariffInput>({
  perMillion: required(prices),
  requestFee: credits,
  holdMinimum: credits,
  chargeMinimum: credits,
  batch,
  serviceTiers,
  tiers,
  providers: table(optionsCheck<ProviderPricesInput>({ perMillion: required(prices) })),
});

const modelLayer = optionsCheck<ModelLayerInput>({
  perMillion: prices,
  requestFee: credits,
  holdMinimum: credits,
  chargeMinimum: credits,
  tiers,
});

const layer = optionsCheck<PriceLayerInput>({ factor, models: table(modelLayer) });

/** A time of ISO 8601 that says its zone, so that it means one instant. */
const isInstant = (value: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/u.test(value) &&
  !Number.isNaN(Date.parse(value));

/** A price list as a host writes it: no member that is not known, no unit that is none, every price an amount. */
export const tariffCheck: OptionCheck<TariffInput> = optionsCheck<TariffInput>({
  version: required(text({ charsMax: versionCharsMax, accepted: `is a text of 1 to ${versionCharsMax} characters` })),
  models: required(table(model)),
  rounding: oneOf('carry', 'up', 'half_up'),
  validFrom: text({ isSound: isInstant, accepted: "is a time with its zone, as in '2026-12-01T00:00:00Z'" }),
  markUp: factor,
  serviceTiers,
  plans: table(layer),
  customers: table(layer),
});
