import type { Gateway, TariffInput } from 'tollgate';

// #region layers
/** What everyone pays, what plans pay, and what one customer has agreed. */
export const layered: TariffInput = {
  version: '2026-11',
  // A fifth more than the upstream's own prices, which `models` has.
  markUp: '1.2',
  models: {
    'flash-3.8': { perMillion: { input_text_tokens: '1', output_text_tokens: '4' }, requestFee: '0.001' },
  },
  plans: {
    // A tenth off everything.
    pro: { factor: '0.9' },
    // Its own price of input, and no fee; output costs what the list says.
    flat: { models: { 'flash-3.8': { perMillion: { input_text_tokens: '1.1' }, requestFee: '0' } } },
  },
  customers: {
    // By the id of the account; over its plan.
    '01a21370-0d13-7000-8000-000000000007': { models: { '*': { perMillion: { output_text_tokens: '2' } } } },
  },
};
// #endregion layers

// #region later
/** A list that takes over at the beginning of December in Lisbon, without a restart. */
export const later: readonly TariffInput[] = [
  { ...layered, version: '2026-12', markUp: '1.25', validFrom: '2026-12-01T00:00:00Z' },
];
// #endregion later

// #region providers
/** A model that a second provider may carry out at other prices. */
export const byProvider: TariffInput = {
  version: '2026-11-providers',
  models: {
    'flash-3.8': {
      perMillion: { input_text_tokens: '1', output_text_tokens: '4' },
      providers: { openai: { perMillion: { output_text_tokens: '6' } } },
    },
  },
};
// #endregion providers

// #region dry-run
/** What November would have brought by another list, and what it did bring, in micro-credits. */
export const tryOnNovember = async (admin: Gateway['admin'], next: TariffInput) => {
  let chargedMicros = 0n;
  let pricedMicros = 0n;
  let after: Parameters<typeof admin.priceUsage>[0]['after'];
  do {
    const range = { fromMs: Date.UTC(2026, 10, 1), untilMs: Date.UTC(2026, 11, 1) };
    const page = await admin.priceUsage({ tariff: next, ...range, after });
    for (const row of page.items) {
      chargedMicros += row.chargedMicros;
      pricedMicros += row.pricedMicros;
      for (const { reason, requests } of row.unpriced)
        console.warn(`${requests} of ${row.model} are not in it: ${reason}`);
    }
    after = page.next ?? undefined;
  } while (after !== undefined);
  return { chargedMicros, pricedMicros };
};
// #endregion dry-run

// #region service-tiers
/** Half the price for what may take minutes, and twice of it for what goes first; not for one of the models. */
export const withServiceTiers: TariffInput = {
  version: '2026-12-tiers',
  serviceTiers: { flex: '0.5', priority: '2' },
  models: {
    'flash-2.5': { perMillion: { input_text_tokens: '1', output_text_tokens: '4' } },
    'flash-3.8': { perMillion: { input_text_tokens: '2', output_text_tokens: '8' }, serviceTiers: {} },
  },
};
// #endregion service-tiers
