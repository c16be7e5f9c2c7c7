import type { CatalogModel, LiveConfig, LiveKind, RouteFamily } from '@tollgate/contract';
import type { GenerationCall, UsageUnit } from '@tollgate/provider';
import { estimateEmbedding } from './estimate-embedding.ts';
import { estimateGeneration } from './estimate.ts';
import { judgeHold, type Estimate } from './hold.ts';
import { estimateLive } from '../live/estimate-live.ts';
import type { ModelTariff } from './model-prices.ts';

/** A family of routes of a model on which nothing can be reserved, whatever is asked. */
export interface PriceHole {
  readonly family: RouteFamily;
  /** What has no price, or has one and no bound; null where the model has no prices at all. */
  readonly unit: UsageUnit | null;
  readonly reason: 'unpriced' | 'unbounded' | 'no_tariff';
}

type Call = Omit<GenerationCall, 'operationId'>;

/** What every call of a model has: a text goes in, and what the model makes comes out. */
const plainCall = ({ upstreamId, maxOutputTokens }: CatalogModel): Call => ({
  upstreamModel: upstreamId,
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'a' }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: maxOutputTokens,
});

const plainSession: LiveConfig = {};

/** The least that a call on a family of routes uses, as it is reserved. */
const plainEstimate = (row: CatalogModel, family: RouteFamily, of: Priced): Estimate => {
  switch (family) {
    case 'chat':
    case 'generate':
    case 'interactions':
      return estimateGeneration(plainCall(row), row);
    case 'embeddings':
      return estimateEmbedding({ upstreamModel: row.upstreamId, input: { kind: 'texts', texts: ['a'] } }, of.tariff);
    case 'videos':
      return [{ unit: 'video_seconds', quantity: 1 }];
    case 'live':
      return estimateLive(of.liveKind, plainSession, row);
  }
};

/** By what a row is priced, and which kind of sessions it holds. */
export interface Priced {
  readonly tariff: ModelTariff | null;
  readonly liveKind: LiveKind;
}

/**
 * The families of routes of a model on which every call would be refused for want of a price, or of a bound for a unit that has one.
 * A call may still use what has no price, such as a tool that the list does not sell: it is refused by itself.
 */
export const priceHoles = (row: CatalogModel, of: Priced): readonly PriceHole[] =>
  row.routes.flatMap((family): readonly PriceHole[] => {
    const hold = judgeHold(of.tariff, plainEstimate(row, family, of));
    switch (hold.kind) {
      case 'amount':
      case 'beyond_amounts':
        return [];
      case 'no_tariff':
        return [{ family, unit: null, reason: 'no_tariff' }];
      case 'unpriced':
      case 'unbounded':
        return [{ family, unit: hold.unit, reason: hold.kind }];
    }
  });
