import type { EmbeddingCall, Embeddings, Generation } from '@tollgate/provider';
import type { OperationRecord, UsageRecord } from '@tollgate/storage';
import type { Engine } from '../../engine.ts';
import type { ModelRoute } from '../model-route.ts';

/** How the response to an item is written, where a batch came in another form than the contract's. The engine keeps it, unread. */
export interface ItemForm {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What a response is written of beside what the provider returned. */
export interface AnsweredItem {
  readonly id: string;
  /** The operation of the whole batch. */
  readonly operation: OperationRecord;
  /** What this item alone used. */
  readonly usage: readonly UsageRecord[];
  /** Null for the form of the contract. */
  readonly form: ItemForm | null;
}

/** How results become the JSON that the direct routes answer, without credits. */
export interface BatchAnswers {
  readonly generation: (generation: Generation, item: AnsweredItem) => string;
  readonly embedding: (call: Omit<EmbeddingCall, 'operationId'>, embeddings: Embeddings, item: AnsweredItem) => string;
}

export interface BatchKindOptions {
  readonly engine: Engine;
  /** By public model id; null where none does now. */
  readonly findRoute: (model: string) => ModelRoute | null;
  readonly answers: BatchAnswers;
  /** Items of one batch in the hands of the provider at once, where the gateway carries them out itself (default 8). */
  readonly itemsAtOnce?: number;
  /** Batches that one process works on at once (default 16), and those of one project (default 4). */
  readonly batchesAtOnce?: number;
  readonly batchesPerProject?: number;
}

/** The window in which a batch runs: what has not begun by then does not begin any more. */
export const batchWindowMs = 48 * 3_600_000;
/** How long what a batch was sent is guarded: longer than every one runs. */
export const batchInputKeptMs = 72 * 3_600_000;
// limits:retention
/** How long the results of a batch are shown. */
export const batchResultKeptMs = 30 * 24 * 3_600_000;
