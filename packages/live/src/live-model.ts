import type { LiveKind } from '@tollgate/contract';
import type { ModelRoute } from '@tollgate/engine';

/** The route of a model that holds sessions, and what its sessions carry. */
export interface LiveModel extends ModelRoute {
  readonly kind: LiveKind;
}
