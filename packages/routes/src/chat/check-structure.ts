import { asksForPatterns, compilesPatterns, schemaBounds } from '@tollgate/contract';
import type { FinishReason, Generation, JsonObject, ResponseFormat } from '@tollgate/provider';
import { runBounded } from './run-bounded.ts';

/**
 * How long one check may hold up the event loop. Patterns that backtrack, references that multiply and pairwise comparisons have
 * no other bound that ordinary schemas would pass (docs/decisions/2026-11-23-long-checks-leave-the-loop.md).
 */
const sliceMsMax = 10;

/** What a check found; `unchecked` where it ran out of time or the schema cannot be worked with at that place. */
export type StructureVerdict = 'fits' | 'does_not_fit' | 'unchecked';

/** Checks the text of an answer of a project off the event loop, in bounded time. Never rejects. */
export type StructureJudge = (schema: JsonObject, text: string, projectId: string) => Promise<StructureVerdict>;

/** An answer that was asked for in a form. */
export interface FormedAnswer {
  readonly projectId: string;
  readonly format: ResponseFormat;
  readonly generation: Generation;
}

/** A longer answer is not checked where its own texts would be compiled as patterns. */
const { patternsCharsMax } = schemaBounds;

type Judge = (schema: JsonObject, text: string) => Promise<StructureVerdict>;

interface Parsed {
  readonly text: string;
  readonly value: unknown;
}

const parse = (text: string): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
};

/** What a slice of the loop's time is enough for; null where it is not. The first answer with a schema loads the validator. */
const validateAtOnce = async (schema: JsonObject, value: unknown): Promise<StructureVerdict | null> => {
  const { fitsSchema } = await import('../fits-schema.ts');
  try {
    const checked = runBounded(sliceMsMax, () => fitsSchema(schema, value));
    if (checked.kind === 'timed_out') return null;
    return checked.value ? 'fits' : 'does_not_fit';
  } catch {
    return 'unchecked';
  }
};

/** No time limit interrupts the compilation of a pattern, so what compiles any is not tried on the event loop. */
const validate = async (judgeLong: Judge, schema: JsonObject, answer: Parsed): Promise<StructureVerdict> => {
  if (!compilesPatterns(schema)) return (await validateAtOnce(schema, answer.value)) ?? judgeLong(schema, answer.text);
  if (answer.text.length > patternsCharsMax && asksForPatterns(schema)) return 'unchecked';
  return judgeLong(schema, answer.text);
};

const judge = async (
  judgeLong: Judge,
  format: Exclude<ResponseFormat, { readonly kind: 'text' }>,
  text: string,
): Promise<StructureVerdict> => {
  const parsed = parse(text);
  if (parsed === null) return 'does_not_fit';
  const { value } = parsed;
  if (format.kind === 'json_schema') return validate(judgeLong, format.schema, { text, value });
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? 'fits' : 'does_not_fit';
};

/**
 * The finish reason a client may rely on: a complete answer that is not of the structure asked for is reported as `length`,
 * partial, which client libraries already treat as "do not parse". It ran, so it is charged. Only a finding counts: what
 * could not be checked is reported as it came.
 */
export const checkedFinish = (
  judgeLong: StructureJudge,
  { projectId, format, generation }: FormedAnswer,
): FinishReason | Promise<FinishReason> => {
  if (generation.finish !== 'stop' || format.kind === 'text' || generation.functionCalls.length > 0)
    return generation.finish;
  const judgeOwn: Judge = (schema, text) => judgeLong(schema, text, projectId);
  return judge(judgeOwn, format, generation.text).then((verdict) => (verdict === 'does_not_fit' ? 'length' : 'stop'));
};
