import type { AnomalyRecord, OperationRecord } from '@tollgate/storage';
import type { Verdict, VerdictNote } from '../decisions/verdict.ts';
import { findAnomalies, type AnomalyQuery } from './anomalies.ts';
import type { Bind } from './bind-methods.ts';
import { findOperationByIdentity, readOperationLife, type IdentityName, type OperationLife } from './operation-life.ts';
import {
  findOperations,
  listOperations,
  readOperation,
  type OperationQuery,
  type OperationSearch,
} from './operation-lists.ts';
import type { OperationPart } from './operation-parts.ts';
import { readStoredAnswer, type StoredText } from './read-stored-answer.ts';
import { reconcile, type ReconcileInput, type ReconcileReport } from './reconcile.ts';
import { listParts, previewVerdict, resolveOperation, type ResolveAnswer, type VerdictPreview } from './resolve.ts';
import type { Page } from './search.ts';

/** Operations: what ran, what it cost, and what an operator decides of it. */
export interface OperationMethods {
  /** A page of operations, newest first. The search names an account, a project, a key, or a state before the end. */
  readonly findOperations: (search: OperationSearch) => Promise<Page<OperationRecord>>;
  /** Operations, newest first, up to a hundred and 1 MiB behind one; an empty list is the end. */
  readonly listOperations: (
    query: OperationQuery,
    after?: Pick<OperationRecord, 'id' | 'createdAtMs'>,
  ) => Promise<readonly OperationRecord[]>;
  /** An operation, or null. */
  readonly readOperation: (operationId: string) => Promise<OperationRecord | null>;
  /** The operation of an `Idempotency-Key`, or null. */
  readonly findOperationByIdentity: (name: IdentityName) => Promise<OperationRecord | null>;
  /** What happened to an operation in the order of time, or null. */
  readonly readOperationLife: (operationId: string) => Promise<OperationLife | null>;
  /** The upstream requests of an operation, or the items of a batch, with what is known of each. */
  readonly listParts: (operationId: string) => Promise<readonly OperationPart[] | null>;
  /** The stored answer, or what was sent of a stream that was cut. Null where nothing is stored. */
  readonly readStoredAnswer: (operationId: string) => Promise<StoredText | null>;
  /** What a verdict on an uncertain operation would charge; nothing is carried out. */
  readonly previewVerdict: (operationId: string, verdict: Verdict) => Promise<VerdictPreview>;
  /** Decides an uncertain operation once; the same verdict again changes nothing. */
  readonly resolveOperation: (operationId: string, verdict: Verdict, note?: VerdictNote) => Promise<ResolveAnswer>;
  /** Compares an upstream's bill with uncertain operations, and decides them with `apply`. */
  readonly reconcile: (input: ReconcileInput) => Promise<ReconcileReport>;
  /** A page of what should not have happened and changed no credits, newest first. */
  readonly findAnomalies: (query?: AnomalyQuery) => Promise<Page<AnomalyRecord>>;
}

export const bindOperations = (bind: Bind): OperationMethods => ({
  findOperations: bind('findOperations', findOperations),
  listOperations: bind('listOperations', listOperations),
  readOperation: bind('readOperation', readOperation),
  findOperationByIdentity: bind('findOperationByIdentity', findOperationByIdentity),
  readOperationLife: bind('readOperationLife', readOperationLife),
  listParts: bind('listParts', listParts),
  readStoredAnswer: bind('readStoredAnswer', readStoredAnswer),
  previewVerdict: bind('previewVerdict', previewVerdict),
  resolveOperation: bind('resolveOperation', resolveOperation),
  reconcile: bind('reconcile', reconcile),
  findAnomalies: bind('findAnomalies', findAnomalies),
});
