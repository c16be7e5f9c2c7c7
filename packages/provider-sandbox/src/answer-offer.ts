import type { Part, UsageUnit } from '@tollgate/provider';
import { addCounts, textTokens, bytesPerTextToken, type Counts } from './sandbox-usage.ts';

/** A piece of an answer before the output limit has been checked. */
export interface AnswerOffer {
  /** None where something is measured but not shown. */
  readonly parts: readonly Part[];
  readonly unit: UsageUnit;
  readonly tokens: number;
  /** What else it uses up, which the output limit does not cover. */
  readonly besides?: Counts;
  /** The beginning of it that has at most so many tokens; without it the piece comes whole or not at all. */
  readonly cut?: (tokensMax: number) => AnswerOffer;
}

export interface TakenAnswer {
  readonly parts: readonly Part[];
  readonly counts: Counts;
  /** False where something did not fit. */
  readonly complete: boolean;
}

/** Takes pieces in order for as long as they fit. What comes after one that does not fit is left out. */
export const takeOffers = (offers: readonly AnswerOffer[], tokensMax: number): TakenAnswer => {
  const parts: Part[] = [];
  let counts: Counts = new Map([['output_text_tokens', 0]]);
  let left = tokensMax;
  for (const offer of offers) {
    const complete = offer.tokens <= left;
    const taken = complete ? offer : offer.cut?.(left);
    if (taken !== undefined) {
      parts.push(...taken.parts);
      counts = addCounts(addCounts(counts, [[taken.unit, taken.tokens]]), taken.besides ?? []);
      left -= taken.tokens;
    }
    if (!complete) return { parts, counts, complete };
  }
  return { parts, counts, complete: true };
};

/** Offers a text, which can be cut anywhere between two characters. */
export const textOffer = (text: string): AnswerOffer => ({
  parts: text === '' ? [] : [{ kind: 'text', text }],
  unit: 'output_text_tokens',
  tokens: textTokens(text),
  cut: (tokensMax) => textOffer(cutText(text, tokensMax * bytesPerTextToken)),
});

/** The longest beginning of at most that many bytes that does not split a character. */
export const cutText = (text: string, bytes: number): string => {
  const whole = Buffer.from(text);
  let end = Math.min(bytes, whole.length);
  while (end > 0 && end < whole.length && ((whole[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return whole.toString('utf8', 0, end);
};
