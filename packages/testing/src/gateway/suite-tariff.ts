import { defaultCatalog, type CatalogModel } from '@tollgate/contract';
import type { TariffInput } from '@tollgate/engine';

/** The model that a case's key is bound to unless it says otherwise. */
export const suiteModel = 'flash-2.5';

/** Prices of the suite: an input token is 1,000 micro-credits, an output token 2,000, a run of a tool 1,000,000. */
export const suiteTariff: TariffInput = {
  version: 'suite-1',
  models: {
    '*': {
      perMillion: {
        input_text_tokens: '1000',
        cached_input_tokens: '250',
        output_text_tokens: '2000',
        host_tool_calls: '1000000',
        web_search_queries: '1000000',
        maps_queries: '1000000',
        retrieval_queries: '1000000',
        url_fetches: '1000000',
        code_execution_runs: '1000000',
        video_seconds: '1000000',
      },
    },
  },
};

/** What the scripted provider's plain answer costs: 10 tokens in and 5 out. */
export const plainAnswerMicros = 20_000n;

const textRow = defaultCatalog.find((row) => row.id === suiteModel);
if (textRow === undefined) throw new Error('the suite needs a text row in the default catalog');

/** A model of the suite's own catalogs; everything not named is that of an ordinary text model. */
export const suiteRow = (row: Partial<CatalogModel> & { readonly id: string }): CatalogModel => ({
  ...textRow,
  upstreamId: `upstream-of-${row.id}`,
  ...row,
});
