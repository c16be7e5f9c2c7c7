import type { TariffInput } from '@tollgate/engine';

/** Prices to rehearse with; a real gateway brings its own (ledger:tariff:no-fixed-price). */
export const rehearsalTariff: TariffInput = {
  version: 'rehearsal-1',
  models: {
    '*': {
      perMillion: {
        input_text_tokens: '1',
        cached_input_tokens: '0.25',
        output_text_tokens: '4',
        web_search_queries: '10000',
        maps_queries: '10000',
        url_fetches: '1000',
        code_execution_runs: '5000',
      },
      holdMinimum: '0.001',
    },
  },
};
