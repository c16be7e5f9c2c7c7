import type { JsonObject } from '@tollgate/provider';
import { present } from '../../present.ts';
import type { AnswerText } from './kept-answer.ts';

/** Citations that came before a text: some upstreams name their sources first. */
export interface EarlyCitations {
  waiting: readonly JsonObject[];
}

export const noEarlyCitations = (): EarlyCitations => ({ waiting: [] });

/** A visible text with the citations that waited for it; null where it has no text itself, and none is open that it could cite from. */
export const withEarlyCitations = (early: EarlyCitations, part: AnswerText, isOpen: boolean): AnswerText | null => {
  const annotations = [...early.waiting, ...(part.annotations ?? [])];
  const waits = part.text === '' && !isOpen;
  early.waiting = waits ? annotations : [];
  return waits ? null : { ...part, ...present('annotations', annotations.length === 0 ? null : annotations) };
};
