import type { TariffInput } from 'tollgate';

/**
 * What the models cost, in credits for a million units. A request reserves the most that it can cost, and pays for what it used.
 * A version stands for its prices for ever: change the version whenever you change a price.
 */
export const prices: TariffInput = {
  version: '1',
  models: {
    small: { perMillion: { input_text_tokens: '1', output_text_tokens: '4' } },
    large: { perMillion: { input_text_tokens: '5', output_text_tokens: '20' } },
  },
};
