import type { z } from 'zod';
import type { ErrorCode } from './error-code.ts';
import { fieldPath, safeName, valueAt } from './field-path.ts';
import { GatewayError } from './gateway-error.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** What is wrong at one place of the body, free of any validator's words. */
type Fault =
  | { readonly kind: 'unknown_field'; readonly path: Path; readonly field: string }
  | { readonly kind: 'missing' | 'wrong_type' | 'wrong_value' | 'too_small' | 'too_big'; readonly path: Path };

/** A branch of a union was meant when its complaint lies deeper than the value itself or is not about its type. */
const isMeant = ([first]: readonly Issue[]): boolean =>
  first !== undefined && (first.path.length > 0 || (first.code !== 'invalid_type' && first.code !== 'invalid_value'));

/** Follows a union into the branch that the client meant, down to one fault. */
const toFault = (issue: Issue, input: unknown, base: Path): Fault => {
  const path = [...base, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return { kind: 'unknown_field', path, field: issue.keys[0] ?? '' };
    case 'invalid_union': {
      const inner =
        issue.errors.find(isMeant)?.[0] ?? issue.errors.find(([first]) => first?.code === 'invalid_value')?.[0];
      if (inner !== undefined) return toFault(inner, input, path);
      const missing = valueAt(input, path) === undefined || valueAt(input, path) === null;
      return { kind: missing ? 'missing' : issue.errors.length > 0 ? 'wrong_type' : 'wrong_value', path };
    }
    case 'invalid_type': {
      const value = valueAt(input, path);
      return { kind: value === undefined || value === null ? 'missing' : 'wrong_type', path };
    }
    case 'too_small':
    case 'too_big':
      return { kind: issue.code, path };
    case 'invalid_value':
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return { kind: valueAt(input, path) === undefined ? 'missing' : 'wrong_value', path };
  }
};

const sentence = (fault: Fault): string => {
  const where = fieldPath(fault.path);
  switch (fault.kind) {
    case 'unknown_field':
      return `The field ${fieldPath([...fault.path, safeName(fault.field)])} is not supported.`;
    case 'missing':
      return `The field ${where} is missing or null.`;
    case 'wrong_type':
      return `The field ${where} has the wrong type.`;
    case 'wrong_value':
      return `The field ${where} has a value that is not accepted.`;
    case 'too_small':
      return `The field ${where} is empty or too small.`;
    case 'too_big':
      return `The field ${where} is too long or too large.`;
  }
};

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
export const messageIssueError = (issue: Issue, message: unknown, index: number): GatewayError => {
  const fault = toFault(issue, message, []);
  const code = messageCode(fault, fault.path, message);
  return new GatewayError(code, { detail: sentence({ ...fault, path: ['messages', index, ...fault.path] }) });
};

/** The error of any other field. `fields` is the body as it was sent [errors:code:invalid-request]. */
export const fieldIssueError = (issue: Issue, fields: unknown): GatewayError => {
  const fault = toFault(issue, fields, []);
  return new GatewayError(fieldCode(fault), { detail: sentence(fault) });
};
