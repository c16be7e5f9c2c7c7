import type { Provider } from '@tollgate/provider';

/**
 * Which provider runs the calls of a model, and the name of the model there. Stored records hold the provider by its name:
 * `ModelRoute<string>`.
 */
export interface ModelRoute<P = Provider> {
  readonly provider: P;
  readonly upstreamModel: string;
}
