import { findAnswer } from '../operations/answers.ts';
import type { Engine } from '../engine.ts';
import { readOperation } from './operation-lists.ts';

/** What is stored of an operation's answer. */
export interface StoredText {
  /** JSON as it is stored, without credits: the body of the route, or of another wire the parts of the model; null where it is larger than is read. */
  readonly text: string | null;
  /** Whether it is what a client was sent before the outcome was lost. */
  readonly partial: boolean;
}

/** Bytes of an answer that are read for an operator at the most. */
const textBytesMax = 16_777_216;

/**
 * The stored answer of an operation, whatever its state: of an uncertain one what its client was sent. Null where nothing is stored,
 * or there is no such operation.
 */
export const readStoredAnswer = async (engine: Engine, id: string): Promise<StoredText | null> => {
  const operation = await readOperation(engine, id);
  const found = operation === null ? null : await findAnswer(engine, operation, textBytesMax);
  if (operation === null || found === null) return null;
  return { text: typeof found === 'string' ? found : null, partial: operation.answer === 'partial' };
};
