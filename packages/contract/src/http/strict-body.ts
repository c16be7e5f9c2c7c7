import type { z } from 'zod';
import type { ErrorCode } from './error-code.ts';
import { faultSentence, firstIssue, toFault, type Fault } from '../fields/field-fault.ts';
import { GatewayError } from './gateway-error.ts';
import { isRecord, type JsonRecord } from '../json/json-record.ts';
import { noObjectError } from '../fields/refused-value.ts';
import { parseWithin } from './parse-within.ts';

/** The parsed JSON body of a request, which must be an object: anything else is refused. */
export const requireRecord = (body: unknown): JsonRecord => {
  if (isRecord(body)) return body;
  throw noObjectError(body);
};

const usualCode = ({ kind }: Fault): ErrorCode =>
  kind === 'unknown_field' ? 'unsupported_parameter' : 'invalid_request';

/**
 * Reads a parsed JSON body by its schema. Throws nothing but a `GatewayError` whose message names the field. `codeOf` is for routes
 * on which some fields have a code of their own.
 */
export const parseStrictBody = <T>(schema: z.ZodType<T>, body: unknown, codeOf = usualCode): T => {
  const record = requireRecord(body);
  const result = parseWithin(schema, record);
  if (result.success) return result.data;
  const issue = firstIssue(result.issues);
  if (issue === undefined) throw new GatewayError('invalid_request', { cause: result.cause });
  const judged = { schema, input: record };
  const fault = toFault(issue, judged);
  throw new GatewayError(codeOf(fault), { detail: faultSentence(fault, judged) });
};
