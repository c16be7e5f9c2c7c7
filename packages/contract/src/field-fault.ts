import type { z } from 'zod';
import { fieldPath, safeName, valueAt } from './field-path.ts';

/** One complaint of a schema. */
export type Issue = z.core.$ZodIssue;
export type Path = readonly PropertyKey[];

/** What is wrong at one place of the body, free of any validator's words. */
export type Fault =
  | { readonly kind: 'unknown_field'; readonly path: Path; readonly field: string }
  | { readonly kind: 'missing' | 'wrong_type' | 'wrong_value' | 'too_small' | 'too_big'; readonly path: Path };

/** A branch of a union was meant when its complaint lies deeper than the value itself or is not about its type. */
const isMeant = ([first]: readonly Issue[]): boolean =>
  first !== undefined && (first.path.length > 0 || (first.code !== 'invalid_type' && first.code !== 'invalid_value'));

/** Follows a union into the branch that the client meant, down to one fault. */
export const toFault = (issue: Issue, input: unknown, base: Path = []): Fault => {
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

/** The complaint that a client is told of: an unknown field goes before everything else. */
export const firstIssue = (issues: readonly Issue[]): Issue | undefined =>
  issues.find(({ code, path }) => code === 'unrecognized_keys' && path.length === 0) ?? issues[0];

/** What a client is told of a fault; names the field. */
export const faultSentence = (fault: Fault): string => {
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
