import type { EmbeddingFlag } from '../embeddings/embedding-request-body.ts';
import type { ModelFamily, RouteFamily } from './model-family.ts';

/** What an embedding model can be asked for. */
export interface EmbeddingOffer {
  // embeddings:body:model-dimensions
  /** Lengths of a vector. */
  readonly dimensions:
    | { readonly kind: 'range'; readonly min: number; readonly max: number }
    | { readonly kind: 'list'; readonly values: readonly number[] };
  // embeddings:body:content-flags
  /** What it can do with content beside reading it. */
  readonly flags: readonly EmbeddingFlag[];
}

/** What a video model can be asked for, and what it makes where it is not told. */
export interface VideoOffer {
  // videos:body:resolution
  /** The first is made where none is asked for. */
  readonly resolutions: readonly string[];
  readonly aspectRatioDefault: string;
  readonly durationSecondsDefault: number;
  // videos:extension:source
  /** A video is continued only by models of its own line. */
  readonly line: string;
}

/** Settings that not every model takes. */
export type RefusableSetting =
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'seed'
  | 'stopSequences'
  | 'frequencyPenalty'
  | 'presencePenalty';

/** One row of a host's catalog. Everything but `upstreamId` and `upstreamKind` may be shown to clients. */
export interface CatalogModel {
  /** The name by which clients ask for the model, keys are bound to it and the price list prices it; unique in the catalog. */
  readonly id: string;
  /** The name that people read, in `GET /models`. */
  readonly name: string;
  /** What the model is for. */
  readonly family: ModelFamily;
  /** A sentence for customers: what the model is good at. */
  readonly profile: string;
  /** A sentence for customers: by what the model is charged. No price is computed from it. */
  readonly consumption: string;
  // models:record:recommended
  /** The host's choice; derived from neither date nor price. */
  readonly recommended: boolean;
  // catalog:preview:subject-to-change
  /** True for a version that may change. */
  readonly preview: boolean;
  /** The id by which the provider knows the model. Never put on the wire. */
  readonly upstreamId: string;
  /** Whether `upstreamId` names a model or an agent of the provider. */
  readonly upstreamKind: 'model' | 'agent';
  /** The routes that serve the model; on any other it is `model_incompatible`. */
  readonly routes: readonly RouteFamily[];
  /**
   * What the model can do, such as `chat`, `functions`, `image_input`, `structured_output`. A request that needs a capability which is
   * not listed is refused before the provider is asked.
   */
  readonly capabilities: readonly string[];
  /** The most output tokens of one call; 0 for a model whose output is not text. */
  readonly maxOutputTokens: number;
  /** The size of the context, in tokens: the estimate of a request counts no more input. 0 where it is not known. */
  readonly contextTokens: number;
  // caches:body:minimum-size
  /** The least that a cache of this model holds; a smaller one is refused. Any size without it. */
  readonly cacheTokensMin?: number;
  // generate:config:seed-stop
  /** Settings of a generation that the model does not take; a call that brings one is refused, and none is sent by default. */
  readonly settingsRefused?: readonly RefusableSetting[];
  /**
   * The most that one call of the model can use of a unit (`images`, `web_search_queries`), where neither the request nor a limit
   * of the gateway bounds it. It is reserved where the price list has a price for the unit. The names are those of the units.
   */
  readonly unitsMax?: Readonly<Partial<Record<string, number>>>;
  /** Of an embedding model; without it every length of vector is left to the provider, and no flag is offered. */
  readonly embedding?: EmbeddingOffer;
  /** Of a model of videos; without it every setting is left to the provider, and only its own videos are continued. */
  readonly video?: VideoOffer;
}

/** What several rows share. */
export type CatalogShape = Omit<CatalogModel, 'id' | 'name' | 'recommended' | 'upstreamId'>;

/** The same shape for a version that may change: the profile says so, as clients see no flag. */
export const previewOf = (shape: CatalogShape): CatalogShape => ({
  ...shape,
  preview: true,
  profile: `${shape.profile} Preview: subject to change.`,
});
