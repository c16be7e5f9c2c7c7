import type { TariffInput } from 'tollgate';

/** All processes of a deployment have the same list: a version stands for these prices for ever. */
export const tariff: TariffInput = {
  version: '2026-11-01',
  models: { '*': { perMillion: { input_text_tokens: '1', output_text_tokens: '4' } } },
};
