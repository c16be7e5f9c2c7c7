import type { Schema } from '../fields/accepted.ts';
import type { ErrorCode } from '../http/error-code.ts';
import { faultSentence, toFault, type Fault, type Issue, type Judged } from '../fields/field-fault.ts';
import { GatewayError } from '../http/gateway-error.ts';

const fieldCode = ({ kind, path }: Fault): ErrorCode => {
  if (kind === 'unknown_field') return 'unsupported_parameter';
  return path[0] === 'generationConfig' && path[1] === 'temperature' ? 'invalid_temperature' : 'invalid_request';
};

/** The error of a part whose shape is wrong; the part is the input, and its place in the body the base. */
export const partIssueError = (issue: Issue, judged: Judged): GatewayError => {
  const fault = toFault(issue, judged);
  const code = fault.kind === 'unknown_field' ? 'unsupported_parameter' : 'unsupported_content';
  return new GatewayError(code, { detail: faultSentence(fault, judged) });
};

// errors:code:invalid-request
/** The error of any other field. `fields` is the body as it was sent. */
export const generateIssueError = (issue: Issue, fields: unknown, schema: Schema): GatewayError => {
  const judged = { schema, input: fields };
  const fault = toFault(issue, judged);
  return new GatewayError(fieldCode(fault), { detail: faultSentence(fault, judged) });
};
