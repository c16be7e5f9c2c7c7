import { Validator } from '@cfworker/json-schema';
import { GatewayError } from '@tollgate/contract';
import type { FinishReason, Generation, JsonObject, ResponseFormat } from '@tollgate/provider';
import { runBounded } from './run-bounded.ts';

const draft = '2020-12';

/**
 * How long one look at a client's schema may hold up everybody else. Patterns that backtrack, references that multiply and
 * pairwise comparisons have no other bound that ordinary schemas would pass (docs/decisions/2026-11-20-structured-output.md).
 */
const structureCheckMsMax = 200;

/** What a check found; `unchecked` where it ran out of time or the schema cannot be worked with at that place. */
type Verdict = 'fits' | 'does_not_fit' | 'unchecked';

/** Refuses a schema that the validator cannot work with, before anything is reserved. */
export const checkSchema = (format: ResponseFormat): void => {
  if (format.kind !== 'json_schema') return;
  try {
    // One that takes too long is no fault that could be named, and is left to the provider.
    runBounded(structureCheckMsMax, () => isValid(format.schema, null));
  } catch (cause) {
    throw new GatewayError('invalid_request', {
      detail: 'The field response_format.json_schema.schema is not a JSON Schema.',
      cause,
    });
  }
};

// A client's schema is any JSON object; the validator throws for what it does not understand, which `checkSchema` reports.
// References to other documents are among it: nothing is ever fetched.
const isValid = (schema: JsonObject, value: unknown): boolean => new Validator(schema, draft).validate(value).valid;

const parse = (text: string): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
};

const validate = (schema: JsonObject, value: unknown): Verdict => {
  try {
    const checked = runBounded(structureCheckMsMax, () => isValid(schema, value));
    if (checked.kind === 'timed_out') return 'unchecked';
    return checked.value ? 'fits' : 'does_not_fit';
  } catch {
    return 'unchecked';
  }
};

const judge = (format: ResponseFormat, text: string): Verdict => {
  const parsed = parse(text);
  if (parsed === null) return 'does_not_fit';
  const { value } = parsed;
  if (format.kind === 'json_schema') return validate(format.schema, value);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? 'fits' : 'does_not_fit';
};

/**
 * The finish reason a client may rely on: a complete answer that is not of the structure asked for is told as `length`,
 * partial, which client libraries already treat as "do not parse". It ran, so it is charged. Only a finding counts: what
 * could not be checked is told as it came.
 */
export const checkedFinish = (format: ResponseFormat, generation: Generation): FinishReason => {
  if (generation.finish !== 'stop' || format.kind === 'text' || generation.functionCalls.length > 0)
    return generation.finish;
  return judge(format, generation.text) === 'does_not_fit' ? 'length' : 'stop';
};
