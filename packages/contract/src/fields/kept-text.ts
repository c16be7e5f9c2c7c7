import { z } from 'zod';

/** Whether every storage can keep a text as it is: well-formed Unicode without NUL, which PostgreSQL has no place for. */
export const isKeptText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** A short text that is kept as it was sent, such as a name: 1 to so many characters. */
export const keptText = (charsMax: number, charsMin = 1): z.ZodString =>
  z.string().min(charsMin).max(charsMax).refine(isKeptText);
