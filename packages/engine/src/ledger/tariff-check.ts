import {
  cameIn,
  checkOf,
  faultAt,
  oneOf,
  optionsCheck,
  required,
  table,
  tableOf,
  text,
  type ConfigurationFault,
  type OptionCheck,
} from '@tollgate/contract/configuration';
import { usageUnits, type UsageUnit } from '@tollgate/provider';
import { microsMax, parseMillionths } from './micros.ts';
import type { BatchTariffInput, ModelTariffInput, TariffInput } from './tariff-input.ts';

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
const factor = decimal(`${sixPlaces}, a part of the direct price`);

const prices = tableOf<UsageUnit, string | number>(usageUnits, price);

const batch = optionsCheck<BatchTariffInput>({ factor, perMillion: prices });

const model = optionsCheck<ModelTariffInput>({
  perMillion: required(prices),
  holdMinimum: credits,
  chargeMinimum: credits,
  batch,
});

/** A price list as a host writes it: no member that is not known, no unit that is none, every price an amount. */
export const tariffCheck: OptionCheck<TariffInput> = optionsCheck<TariffInput>({
  version: required(text({ charsMax: versionCharsMax, accepted: `is a text of 1 to ${versionCharsMax} characters` })),
  models: required(table(model)),
  rounding: oneOf('carry', 'up', 'half_up'),
});
