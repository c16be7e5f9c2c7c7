import type { z } from 'zod';
import { acceptedBy, branchAt, fieldsOf, schemaAt, wordsListedBy, type Schema } from './accepted.ts';
import { cameAs } from './came.ts';
import { fieldPath, valueAt } from './field-path.ts';
import { listedWords } from './listed-words.ts';
import { nearestWord } from './nearest-word.ts';

/** One complaint of a schema. */
export type Issue = z.core.$ZodIssue;
export type Path = readonly PropertyKey[];

/** What is wrong at one place of the body, free of any validator's words. */
export type Fault =
  | { readonly kind: 'unknown_field'; readonly path: Path; readonly field: string }
  | { readonly kind: 'missing' | 'wrong_type' | 'wrong_value'; readonly path: Path }
  /** `bound` is the number that it is beyond. */
  | { readonly kind: 'too_small' | 'too_big'; readonly path: Path; readonly bound: number };

/** What was sent, and by which schema it was judged. */
export interface Judged {
  readonly schema: Schema;
  readonly input: unknown;
  /** Where the input stands in the body (default: it is the body). */
  readonly base?: Path;
}

/** A branch of a union was meant when its complaint lies deeper than the value itself or is not about its type. */
const isMeant = ([first]: readonly Issue[]): boolean =>
  first !== undefined && (first.path.length > 0 || (first.code !== 'invalid_type' && first.code !== 'invalid_value'));

/** The complaint of the branch of a union that the client meant, where that is known. */
const branchIssue = (
  issue: Extract<Issue, { code: 'invalid_union' }>,
  path: Path,
  judged: Judged,
): Issue | undefined => {
  const branch = branchAt(judged.schema, path, { input: judged.input, branches: issue.errors.length });
  return (
    issue.errors[branch]?.[0] ??
    issue.errors.find(isMeant)?.[0] ??
    issue.errors.find(([first]) => first?.code === 'invalid_value')?.[0]
  );
};

/** Follows a union into the branch that the client meant, down to one fault. Paths are relative to the input. */
export const toFault = (issue: Issue, judged: Judged, above: Path = []): Fault => {
  const { input } = judged;
  const path = [...above, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return { kind: 'unknown_field', path, field: issue.keys[0] ?? '' };
    case 'invalid_union': {
      const inner = branchIssue(issue, path, judged);
      if (inner !== undefined) return toFault(inner, judged, path);
      const missing = valueAt(input, path) === undefined || valueAt(input, path) === null;
      return { kind: missing ? 'missing' : issue.errors.length > 0 ? 'wrong_type' : 'wrong_value', path };
    }
    case 'invalid_type': {
      const value = valueAt(input, path);
      return { kind: value === undefined || value === null ? 'missing' : 'wrong_type', path };
    }
    case 'too_small':
      return { kind: 'too_small', path, bound: Number(issue.minimum) };
    case 'too_big':
      return { kind: 'too_big', path, bound: Number(issue.maximum) };
    case 'invalid_value':
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return { kind: valueAt(input, path) === undefined ? 'missing' : 'wrong_value', path };
  }
};

/** The complaint that a client gets: an unknown field goes before everything else. */
export const firstIssue = (issues: readonly Issue[]): Issue | undefined =>
  issues.find(({ code, path }) => code === 'unrecognized_keys' && path.length === 0) ?? issues[0];

/** The one that was probably meant, before all that are accepted. */
const meantWords = (sent: unknown, words: readonly string[]): string => {
  const nearest = typeof sent === 'string' ? nearestWord(sent, words) : null;
  return nearest === null || nearest === sent ? '' : `, and the nearest of what is accepted is ${nearest}`;
};

/** A field that is not taken: what is accepted beside it, the nearest name first. */
export const unknownFieldSentence = (path: Path, accepted: readonly string[]): string => {
  const name = String(path.at(-1) ?? '');
  const known = accepted.length === 0 ? 'none, but an empty object' : listedWords(accepted, ', ');
  const list = `; accepted ${accepted.length > 1 ? 'are' : 'is'} ${known}`;
  return `The field ${fieldPath(path)} is not supported${meantWords(name, accepted)}${list}.`;
};

/** On which side of its bound a number or a length is; what is empty says so by itself. */
const beyond = (fault: Fault, value: unknown): string => {
  const isNumber = typeof value === 'number';
  if (fault.kind === 'too_big') return `, which is ${isNumber ? 'above' : 'more than'} ${fault.bound}`;
  return fault.kind === 'too_small' && isNumber ? `, which is below ${fault.bound}` : '';
};

/** The error for a fault: the field, what came, and what is accepted. */
export const faultSentence = (fault: Fault, { schema, input, base = [] }: Judged): string => {
  const value = valueAt(input, fault.path);
  const meant = schemaAt(schema, fault.path, input);
  if (fault.kind === 'unknown_field')
    return unknownFieldSentence([...base, ...fault.path, fault.field], meant === undefined ? [] : fieldsOf(meant));
  const where = fieldPath([...base, ...fault.path]);
  const subject = where === '' ? 'The body' : `The field ${where}`;
  const words = meant === undefined ? [] : wordsListedBy(meant);
  const came = `${cameAs(value, words.length > 0)}${beyond(fault, value)}`;
  const accepted = meant === undefined ? '' : `; accepted ${acceptedBy(meant)}`;
  return `${subject} ${came}${words.length > 1 ? meantWords(value, words) : ''}${accepted}.`;
};
