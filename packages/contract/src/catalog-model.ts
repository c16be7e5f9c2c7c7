import type { ModelFamily, RouteFamily } from './model-family.ts';

/** One row of a host's catalog. Everything but `upstreamId` and `upstreamKind` may be shown to clients. */
export interface CatalogModel {
  readonly id: string;
  readonly name: string;
  readonly family: ModelFamily;
  readonly profile: string;
  readonly consumption: string;
  /** The host's choice; derived from neither date nor price [models:record:recommended]. */
  readonly recommended: boolean;
  /** True for a version that may change [catalog:preview:subject-to-change]. */
  readonly preview: boolean;
  /** The id by which the provider knows the model. Never put on the wire. */
  readonly upstreamId: string;
  readonly upstreamKind: 'model' | 'agent';
  /** The routes that serve the model; on any other it is `model_incompatible`. */
  readonly routes: readonly RouteFamily[];
  readonly capabilities: readonly string[];
  /** The most output tokens of one call; 0 for a model whose output is not text. */
  readonly maxOutputTokens: number;
  readonly contextTokens: number;
}

/** What several rows share. */
export type CatalogShape = Omit<CatalogModel, 'id' | 'name' | 'recommended' | 'upstreamId'>;

/** The same shape for a version that may change: the profile says so, as clients see no flag. */
export const previewOf = (shape: CatalogShape): CatalogShape => ({
  ...shape,
  preview: true,
  profile: `${shape.profile} Preview: subject to change.`,
});
