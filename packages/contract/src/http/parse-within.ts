/* oxlint-disable typescript/switch-exhaustiveness-check -- The validator has some forty types, of which few hold others. */
import { z } from 'zod';
import { bareSchema, boundsOf, definitionOf, meantBranch, type Schema } from '../fields/accepted.ts';
import type { Issue } from '../fields/field-fault.ts';
import { perSchema } from '../fields/per-schema.ts';
import { isRecord, type JsonRecord } from '../json/json-record.ts';

/** Unknown fields of one object that are checked; where there are more, the first of them is all that is reported. */
const unknownFieldsMax = 64;

/** What a value was found to be by its schema: good, or why not. */
export type ParsedWithin<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly issues: readonly Issue[]; readonly cause: unknown };

interface Walk {
  /** Where the value stands; one list for the whole walk. */
  readonly path: PropertyKey[];
}

const unknownField = (value: JsonRecord, known: JsonRecord, { path }: Walk): Issue => ({
  code: 'unrecognized_keys',
  keys: [Object.keys(value).find((name) => !Object.hasOwn(known, name)) ?? ''],
  path: [...path],
  message: '',
  input: value,
});

const tooMany = (value: object, origin: 'array' | 'object', maximum: number, { path }: Walk): Issue => ({
  code: 'too_big',
  origin,
  maximum,
  inclusive: true,
  path: [...path],
  message: '',
  input: value,
});

const below = (walk: Walk, key: PropertyKey, schema: Schema, value: unknown): Issue | null => {
  walk.path.push(key);
  const issue = widthIssue(schema, value, walk);
  if (issue === null) walk.path.pop();
  return issue;
};

type Shape = Readonly<Record<string, Schema>>;

const membersOf = perSchema((shape: Shape) => Object.entries(shape));

const objectIssue = (shape: Shape, value: JsonRecord, walk: Walk): Issue | null => {
  const members = membersOf(shape);
  if (Object.keys(value).length > members.length + unknownFieldsMax) return unknownField(value, shape, walk);
  for (const [name, member] of members) {
    // What holds nothing is as wide as any schema.
    if (typeof value[name] !== 'object' || !Object.hasOwn(value, name)) continue;
    const issue = below(walk, name, member, value[name]);
    if (issue !== null) return issue;
  }
  return null;
};

const holdsOthers: ReadonlySet<string> = new Set(['object', 'array', 'record', 'union']);

const listIssue = (
  { element, max = Infinity }: { readonly element: Schema; readonly max?: number | undefined },
  value: readonly unknown[],
  walk: Walk,
): Issue | null => {
  if (value.length > max) return tooMany(value, 'array', max, walk);
  if (!holdsOthers.has(definitionOf(element).type)) return null;
  for (const [place, entry] of value.entries()) {
    const issue = below(walk, place, element, entry);
    if (issue !== null) return issue;
  }
  return null;
};

/** How wide the widest branch of a union is. */
const widthOf = perSchema((options: readonly Schema[]) => {
  const defs = options.map(definitionOf);
  const shapes = defs.flatMap((def) => (def.type === 'object' ? [def.shape] : []));
  const known: JsonRecord = Object.fromEntries(shapes.flatMap((shape) => Object.entries(shape)));
  return {
    entriesMax: Math.max(...defs.map((def) => (def.type === 'array' ? (boundsOf(def).max ?? Infinity) : 0))),
    known,
    namesMax: shapes.length === defs.length ? Object.keys(known).length + unknownFieldsMax : Infinity,
  };
});

/** A union is as wide as its widest branch, until it is known which of them is meant. */
const unionIssue = (schema: Schema, options: readonly Schema[], value: unknown, walk: Walk): Issue | null => {
  const { entriesMax, known, namesMax } = widthOf(options);
  if (Array.isArray(value)) {
    if (entriesMax > 0 && value.length > entriesMax) return tooMany(value, 'array', entriesMax, walk);
  } else if (isRecord(value)) {
    if (Object.keys(value).length > namesMax) return unknownField(value, known, walk);
  } else return null;
  const branch = meantBranch(schema, value);
  return branch === schema ? null : widthIssue(branch, value, walk);
};

/** The first place of a value that is wider than its schema by more than the schema need look through. */
const widthIssue = (schema: Schema, value: unknown, walk: Walk): Issue | null => {
  if (typeof value !== 'object' || value === null) return null;
  const def = definitionOf(schema);
  switch (def.type) {
    case 'object':
      return isRecord(value) ? objectIssue(def.shape, value, walk) : null;
    case 'array':
      return Array.isArray(value) ? listIssue({ element: def.element, max: boundsOf(def).max }, value, walk) : null;
    case 'record': {
      const max = z.globalRegistry.get(bareSchema(schema))?.['maxProperties'];
      return typeof max === 'number' && isRecord(value) && Object.keys(value).length > max
        ? tooMany(value, 'object', max, walk)
        : null;
    }
    case 'union':
      return unionIssue(schema, def.options, value, walk);
    default:
      return null;
  }
};

/** Whether it is an object of few fields that hold no others: no schema is narrower. */
const isSmall = (value: unknown): boolean => {
  if (!isRecord(value)) return false;
  const names = Object.keys(value);
  return names.length <= unknownFieldsMax && names.every((name) => typeof value[name] !== 'object');
};

/**
 * Reads a value by its schema. A list that is too long, or an object of unknown fields, is found before its entries are
 * checked: the validator would look through all of them, and note a complaint of each.
 */
export const parseWithin = <T>(schema: z.ZodType<T>, value: unknown): ParsedWithin<T> => {
  const issue = isSmall(value) ? null : widthIssue(schema, value, { path: [] });
  if (issue !== null) return { success: false, issues: [issue], cause: undefined };
  const result = schema.safeParse(value);
  return result.success
    ? { success: true, data: result.data }
    : { success: false, issues: result.error.issues, cause: result.error };
};
