import type { BlobPart, MediaPart, TextPart } from './content.ts';
import type { Usage } from './usage.ts';

/** What a moderation model reads. */
export type ModeratedPart = TextPart | MediaPart | BlobPart;

export interface ModerationCall {
  readonly operationId: string;
  /** The upstream's name of the model. */
  readonly upstreamModel: string;
  /** The parts of each input, which is judged by itself. */
  readonly inputs: readonly (readonly ModeratedPart[])[];
}

/** How one category was judged. */
export interface JudgedCategory {
  /** As the upstream names it, as in `violence/graphic`. */
  readonly name: string;
  readonly isFlagged: boolean;
  /** From 0 to 1: how certain the model is. */
  readonly score: number;
  /** By which kinds of parts it was judged. */
  readonly appliedTo: readonly ('text' | 'image')[];
}

/** What a model found of one input. */
export interface Judgement {
  readonly isFlagged: boolean;
  readonly categories: readonly JudgedCategory[];
}

/** A judgement for each input, in order. */
export interface Moderations {
  readonly judgements: readonly Judgement[];
  /** An empty list means that nothing was measured, and makes the operation uncertain. */
  readonly usage: readonly Usage[];
}
