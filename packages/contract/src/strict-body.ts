import { z } from 'zod';
import { faultSentence, firstIssue, toFault } from './field-fault.ts';
import { GatewayError } from './gateway-error.ts';
import { isRecord } from './json-record.ts';

/** Reads a parsed JSON body by its schema. Throws nothing but a `GatewayError` whose message names the field. */
export const parseStrictBody = <T>(schema: z.ZodType<T>, body: unknown): T => {
  if (!isRecord(body)) throw new GatewayError('invalid_request', { detail: 'The body must be a JSON object.' });
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = firstIssue(result.error.issues);
  if (issue === undefined) throw new GatewayError('invalid_request', { cause: result.error });
  const fault = toFault(issue, body);
  const code = fault.kind === 'unknown_field' ? 'unsupported_parameter' : 'invalid_request';
  throw new GatewayError(code, { detail: faultSentence(fault) });
};

/** The body by which a webhook or a trigger is paused and resumed [webhooks:patch:enabled-only] [triggers:patch:enabled]. */
export const EnabledPatchBody = z.strictObject({ enabled: z.boolean() });

/** Reads the parsed JSON body of a pause or a resumption. Throws nothing but a `GatewayError` whose message names the field. */
export const parseEnabledPatch = (body: unknown): boolean => parseStrictBody(EnabledPatchBody, body).enabled;
