import type { ErrorCode, ResourceKind } from '@tollgate/contract';
import type { BlobGuard } from '../decisions/guard-blobs.ts';
import type { OccurrenceGuard } from '../decisions/occurrence-guard.ts';
import type { ResourceDraft, ResourceUse } from '../decisions/resource-draft.ts';
import type { Estimate } from '../ledger/hold.ts';
import type { LimitedCaller } from '../ports/usage-limiter.ts';

/** All that a route adds to the creation of a resource. */
export interface ResourcePlan {
  readonly access: LimitedCaller;
  readonly kind: ResourceKind;
  /** Public catalog id. */
  readonly model: string;
  readonly identity: string | null;
  readonly fingerprint: string;
  /** What it may use at the most; null where it costs nothing and needs no execution. */
  readonly estimate: Estimate | null;
  /** Refuses a new resource, but not the recovery of one that exists. */
  readonly refusal: ErrorCode | null;
  readonly draft: ResourceDraft;
  readonly uses: readonly ResourceUse[];
  /** Files of the project that it names, each once. */
  readonly files?: readonly string[];
  /** Ownerless blobs that its work needs. */
  readonly guard?: BlobGuard;
  /** The occurrence of a schedule that it is for: nothing is opened once that is over. */
  readonly occurrence?: OccurrenceGuard;
  /** The id, where something was stored under it beforehand. */
  readonly id?: string;
}
