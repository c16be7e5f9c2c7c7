import type { z } from 'zod';
import { GatewayError } from '../http/gateway-error.ts';
import { parseWithin } from '../http/parse-within.ts';
import { faultSentence, toFault, type Path } from './field-fault.ts';

/** Reads the value at a place of a body by its schema. Throws an error that names the field, what came and what is accepted. */
export const readAt = <T>(schema: z.ZodType<T>, value: unknown, path: Path = []): T => {
  const result = parseWithin(schema, value);
  if (result.success) return result.data;
  const [issue] = result.issues;
  if (issue === undefined) throw new GatewayError('invalid_request', { cause: result.cause });
  const judged = { schema, input: value, base: path };
  const fault = toFault(issue, judged);
  throw new GatewayError(fault.kind === 'unknown_field' ? 'unsupported_parameter' : 'invalid_request', {
    detail: faultSentence(fault, judged),
  });
};
