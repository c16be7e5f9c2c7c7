import type { LiveKind } from '@tollgate/contract';
import type { Provider } from '@tollgate/provider';

/** Who holds the sessions of a model. */
export interface LiveModel {
  readonly provider: Provider;
  readonly upstreamModel: string;
  readonly kind: LiveKind;
}
