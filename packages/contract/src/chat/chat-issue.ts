import type { Schema } from '../fields/accepted.ts';
import type { ErrorCode } from '../http/error-code.ts';
import { faultSentence, toFault, type Fault, type Issue, type Path } from '../fields/field-fault.ts';
import { valueAt } from '../fields/field-path.ts';
import { GatewayError } from '../http/gateway-error.ts';

/** The code of a fault in the content itself; `value` is the content as it was sent. */
const contentCode = (fault: Fault, role: unknown, value: unknown): ErrorCode => {
  if (Array.isArray(value) && fault.kind === 'wrong_type') return 'unsupported_content';
  if (fault.kind === 'too_small') return 'empty_message';
  if (fault.kind === 'too_big') return 'input_limit';
  return fault.kind === 'missing' && role !== 'tool' ? 'empty_message' : 'invalid_messages';
};

/** The code of a fault inside a content part; `inside` is the path from the part on. */
const partCode = (fault: Fault, inside: Path): ErrorCode => {
  if (fault.kind === 'unknown_field') {
    return inside[0] === 'file' && fault.field === 'file_url' ? 'unsupported_content' : 'unsupported_parameter';
  }
  if (inside[0] === 'text' && fault.kind === 'too_small') return 'empty_message';
  return inside[0] === 'image_url' && inside[1] !== 'detail' ? 'invalid_image' : 'unsupported_content';
};

const messageCode = (fault: Fault, inside: Path, message: unknown): ErrorCode => {
  if (inside[0] === 'content' && inside.length > 1) return partCode(fault, inside.slice(2));
  if (fault.kind === 'unknown_field') return 'unsupported_parameter';
  if (inside[0] === 'role') return 'invalid_role';
  return inside[0] === 'content'
    ? contentCode(fault, valueAt(message, ['role']), valueAt(message, ['content']))
    : 'invalid_messages';
};

/** The fields outside the messages whose faults have a code of their own. */
const fieldCodes: ReadonlyMap<PropertyKey, ErrorCode> = new Map([
  ['temperature', 'invalid_temperature'],
  ['stream', 'invalid_stream'],
  ['stream_options', 'invalid_stream_options'],
]);

const fieldCode = (fault: Fault): ErrorCode =>
  fault.kind === 'unknown_field' ? 'unsupported_parameter' : (fieldCodes.get(fault.path[0] ?? '') ?? 'invalid_request');

/** The error of a message whose shape is wrong. `message` is the message as it was sent, `index` its place. */
export const messageIssueError = (issue: Issue, message: unknown, index: number, schema: Schema): GatewayError => {
  const judged = { schema, input: message, base: ['messages', index] };
  const fault = toFault(issue, judged);
  return new GatewayError(messageCode(fault, fault.path, message), { detail: faultSentence(fault, judged) });
};

// errors:code:invalid-request
/** The error of any other field. `fields` is the body as it was sent. */
export const fieldIssueError = (issue: Issue, fields: unknown, schema: Schema): GatewayError => {
  const judged = { schema, input: fields };
  const fault = toFault(issue, judged);
  return new GatewayError(fieldCode(fault), { detail: faultSentence(fault, judged) });
};
