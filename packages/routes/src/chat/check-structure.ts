import { Validator } from '@cfworker/json-schema';
import { GatewayError } from '@tollgate/contract';
import type { FinishReason, Generation, JsonObject, ResponseFormat } from '@tollgate/provider';

const draft = '2020-12';

/** Refuses a schema that the validator cannot work with, before anything is reserved. */
export const checkSchema = (format: ResponseFormat): void => {
  if (format.kind !== 'json_schema') return;
  try {
    validatorOf(format.schema).validate(null);
  } catch (cause) {
    throw new GatewayError('invalid_request', {
      detail: 'The field response_format.json_schema.schema is not a JSON Schema.',
      cause,
    });
  }
};

const validatorOf = (schema: JsonObject): Validator => new Validator(schema, draft);

const fits = (format: ResponseFormat, text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    if (format.kind === 'json_schema') return validatorOf(format.schema).validate(value).valid;
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

/**
 * The finish reason a client may rely on: a complete answer that is not of the structure asked for is told as `length`,
 * partial, which client libraries already treat as "do not parse". It ran, so it is charged.
 */
export const checkedFinish = (format: ResponseFormat, generation: Generation): FinishReason => {
  if (generation.finish !== 'stop' || format.kind === 'text' || generation.functionCalls.length > 0)
    return generation.finish;
  return fits(format, generation.text) ? 'stop' : 'length';
};
