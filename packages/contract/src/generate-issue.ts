import type { ErrorCode } from './error-code.ts';
import { faultSentence, toFault, type Fault, type Issue, type Path } from './field-fault.ts';
import { GatewayError } from './gateway-error.ts';

const fieldCode = ({ kind, path }: Fault): ErrorCode => {
  if (kind === 'unknown_field') return 'unsupported_parameter';
  return path[0] === 'generationConfig' && path[1] === 'temperature' ? 'invalid_temperature' : 'invalid_request';
};

/** The error of a part whose shape is wrong. `part` is the part as it was sent, `base` its place in the body. */
export const partIssueError = (issue: Issue, part: unknown, base: Path): GatewayError => {
  const fault = toFault(issue, part);
  const code = fault.kind === 'unknown_field' ? 'unsupported_parameter' : 'unsupported_content';
  return new GatewayError(code, { detail: faultSentence({ ...fault, path: [...base, ...fault.path] }) });
};

/** The error of any other field. `fields` is the body as it was sent [errors:code:invalid-request]. */
export const generateIssueError = (issue: Issue, fields: unknown): GatewayError => {
  const fault = toFault(issue, fields);
  return new GatewayError(fieldCode(fault), { detail: faultSentence(fault) });
};
