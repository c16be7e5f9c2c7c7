/* oxlint-disable typescript/switch-exhaustiveness-check, eslint/no-underscore-dangle -- The validator has some forty types, of
which this package uses a dozen; what they are made of lies under a name of its own. */
import { z } from 'zod';
import { listedWords } from './listed-words.ts';
import { perSchema } from './per-schema.ts';

/** Any schema. */
export type Schema = z.core.$ZodType;

/** How deep a description goes into what is described. */
const depthMax = 2;

// Sound: every schema of this package is made of the validator's own types, which this union lists.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const defOf = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def;

/** A schema without what makes it optional, null or filled in. */
export const bareSchema = (schema: Schema): Schema => {
  const def = defOf(schema);
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return bareSchema(def.innerType);
    case 'pipe':
      return bareSchema(def.in);
    default:
      return schema;
  }
};

/** What a schema is made of, without what makes it optional, null or filled in. */
export const definitionOf = (schema: Schema) => defOf(bareSchema(schema));

type Listed = string | number | bigint | boolean | null | undefined;

/** The values that a schema lists, those of every form of it. */
const valuesListedBy = (schema: Schema): readonly Listed[] => {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'enum':
      return Object.values(def.entries);
    case 'literal':
      return def.values;
    case 'union':
      return def.options.flatMap(valuesListedBy);
    default:
      return [];
  }
};

/** The words that a schema lists; empty where it lists none. */
export const wordsListedBy = (schema: Schema): readonly string[] =>
  valuesListedBy(schema).filter((value) => typeof value === 'string');

/** What is known only to be refused with a better word than that it is unknown. */
const isHidden = (member: Schema | undefined): boolean =>
  member !== undefined && z.globalRegistry.get(member)?.deprecated === true;

/** The fields of an object, or of every form of it; empty where it is none. */
export const fieldsOf = (schema: Schema): readonly string[] => {
  const def = definitionOf(schema);
  if (def.type === 'object') return Object.keys(def.shape).filter((name) => !isHidden(def.shape[name]));
  return def.type === 'union' ? [...new Set(def.options.flatMap(fieldsOf))] : [];
};

const words = (values: readonly Listed[]): string =>
  listedWords(
    [...new Set(values)].map((value) => JSON.stringify(value)),
    ' or ',
  );

interface Bounds {
  readonly min?: number;
  readonly max?: number;
  readonly isWhole?: boolean;
  /** Whether more is asked of it than a range says. */
  readonly isShaped?: boolean;
}

// Sound: every check of this package is one of the validator's own, which this union lists.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const checkOf = (check: z.core.$ZodCheck) => (check as z.core.$ZodChecks)._zod.def;

const boundsOfCheck = (check: ReturnType<typeof checkOf>): Bounds => {
  switch (check.check) {
    case 'greater_than':
      return { min: Number(check.value) };
    case 'less_than':
      return { max: Number(check.value) };
    case 'min_length':
      return { min: check.minimum };
    case 'max_length':
      return { max: check.maximum };
    case 'length_equals':
      return { min: check.length, max: check.length };
    case 'number_format':
      return { isWhole: check.format.includes('int') };
    default:
      return { isShaped: true };
  }
};

interface Checked {
  readonly checks?: readonly z.core.$ZodCheck[] | undefined;
  readonly format?: string | undefined;
}

/** Between which numbers a number, a length or a count may be. */
export const boundsOf = ({ checks = [], format = '' }: Checked): Bounds => {
  const bounds: Bounds = { isWhole: format.includes('int') };
  for (const check of checks) Object.assign(bounds, boundsOfCheck(checkOf(check)));
  return bounds;
};

const isBound = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

/** ` from 0 to 2`, ` of at least 1`; empty where there is no bound. */
const rangeOf = ({ min, max }: Bounds, from: 'from' | 'of'): string => {
  // Nothing has less than no characters or entries.
  const hasMin = isBound(min) && (from === 'from' || min > 0);
  if (hasMin && isBound(max)) return min === max ? ` of ${min}` : ` ${from} ${min} to ${max}`;
  if (hasMin) return ` of at least ${min}`;
  return isBound(max) ? ` of at most ${max}` : '';
};

const describedAs = (schema: Schema): string | undefined => z.globalRegistry.get(schema)?.description;

const textWords = (schema: Schema, def: Checked): string => {
  if (def.format === 'uuid') return 'a uuid';
  const bounds = boundsOf(def);
  const described = bounds.isShaped === true ? describedAs(schema) : undefined;
  if (described !== undefined) return `text of ${described}`;
  if (bounds.min === 1 && bounds.max === undefined) return 'text that is not empty';
  const range = rangeOf(bounds, 'of');
  return range === '' ? 'text' : `text${range} characters`;
};

const listWords = (def: Checked & { readonly element: Schema }, depth: number): string => {
  const range = rangeOf(boundsOf(def), 'of');
  const entries = range === '' ? '' : `${range} entries`;
  return depth === 0 ? `a list${entries}, each ${wordsOf(def.element, depth + 1)}` : `a list${entries}`;
};

const objectWords = (names: readonly string[]): string =>
  names.length === 0
    ? 'an empty object'
    : `an object with the field${names.length === 1 ? '' : 's'} ${listedWords(names, ' and ')}`;

/** The member by which the forms of an object are distinguished, and its values; null where there is no such member. */
const marksOf = (options: readonly Schema[]): { readonly name: string; readonly values: readonly Listed[] } | null => {
  const shapes = options.map((option) => {
    const def = definitionOf(option);
    return def.type === 'object' ? def.shape : {};
  });
  const [first = {}] = shapes;
  const name = Object.keys(first).find((each) =>
    shapes.every((shape) => shape[each] !== undefined && valuesListedBy(shape[each]).length > 0),
  );
  if (name === undefined || options.length < 2) return null;
  return { name, values: shapes.flatMap((shape) => (shape[name] === undefined ? [] : valuesListedBy(shape[name]))) };
};

const isListOfValues = (schema: Schema): boolean => ['enum', 'literal'].includes(definitionOf(schema).type);

const unionWords = (options: readonly Schema[], depth: number): string => {
  if (options.every(isListOfValues)) return words(options.flatMap(valuesListedBy));
  // What is lifted while a body is read is text to its client.
  if (options.some((option) => defOf(option).type === 'custom')) return 'text';
  const marks = marksOf(options);
  if (marks !== null) return `an object whose ${marks.name} is ${words(marks.values)}`;
  return listedWords([...new Set(options.map((option) => wordsOf(option, depth + 1)))], ' or ');
};

const wordsOf = (outer: Schema, depth: number): string => {
  const schema = bareSchema(outer);
  const def = defOf(schema);
  switch (def.type) {
    case 'string':
      return textWords(schema, def);
    case 'number': {
      const bounds = boundsOf(def);
      return `${bounds.isWhole === true ? 'integers' : 'numbers'}${rangeOf(bounds, 'from')}`;
    }
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'literal':
    case 'enum':
      return words(valuesListedBy(schema));
    case 'array':
      return listWords(def, depth);
    case 'object':
      return depth < depthMax ? objectWords(fieldsOf(schema)) : 'an object';
    case 'union':
      return unionWords(def.options, depth);
    case 'unknown':
    case 'any':
      return 'any JSON';
    default:
      return describedAs(schema) ?? 'an object';
  }
};

const isNullable = (schema: Schema): boolean => {
  const def = defOf(schema);
  return def.type === 'nullable' || ('innerType' in def && isNullable(def.innerType));
};

/** What a schema accepts, as the end of a sentence: `are numbers from 0 to 2`. */
export const acceptedBy = (schema: Schema): string => {
  const said = wordsOf(schema, 0);
  const isMany = /^(?:numbers|integers|true or false)\b/.test(said) || valuesListedBy(schema).length > 1;
  return `${isMany ? 'are' : 'is'} ${said}${isNullable(schema) ? ', or null' : ''}`;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of an object that list their values, and so say which form of it is meant. */
const marksIn = perSchema((shape: Readonly<Record<string, Schema>>) =>
  Object.entries(shape).flatMap(([name, member]) => {
    const values = isListOfValues(member) ? valuesListedBy(member) : [];
    return values.length === 0 ? [] : [{ name, values }];
  }),
);

/** Whether a value may be meant for a schema: of the same kind of JSON, and with the same marks. */
const isMeantFor = (schema: Schema, value: unknown): boolean => {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'object':
      return (
        isObject(value) &&
        marksIn(def.shape).every(
          ({ name, values }) => value[name] === undefined || values.some((each) => each === value[name]),
        )
      );
    case 'array':
      return Array.isArray(value);
    case 'record':
      return isObject(value);
    case 'string':
      return typeof value === 'string';
    case 'literal':
    case 'enum':
      return valuesListedBy(schema).some((each) => typeof each === typeof value);
    case 'number':
    case 'boolean':
      return typeof value === def.type;
    case 'union':
      return def.options.some((option) => isMeantFor(option, value));
    default:
      return false;
  }
};

const namesOf = perSchema((schema: Schema): ReadonlySet<string> => new Set(fieldsOf(schema)));

/** How many of its members an object has in common with one form of it. */
const sharedFields = (schema: Schema, value: unknown): number => {
  if (!isObject(value)) return 0;
  const names = namesOf(schema);
  let shared = 0;
  for (const name of Object.keys(value)) if (names.has(name)) shared += 1;
  return shared;
};

/**
 * Which branch of a union a value is meant for: of its kind and with its marks, and of several the one that knows most of its
 * members. -1 where that is unknown.
 */
const meantIndex = (options: readonly Schema[], value: unknown): number => {
  const shared = options.map((option) => (isMeantFor(option, value) ? 1 + sharedFields(option, value) : 0));
  const most = Math.max(...shared);
  const index = shared.indexOf(most);
  return most === 0 || shared.lastIndexOf(most) !== index ? -1 : index;
};

/** The branch of a union that a value is meant for, or the union itself where that is unknown. */
export const meantBranch = (schema: Schema, value: unknown): Schema => {
  const def = definitionOf(schema);
  if (def.type !== 'union') return schema;
  const branch = def.options[meantIndex(def.options, value)];
  return branch === undefined ? schema : meantBranch(branch, value);
};

const oneOf = (schemas: readonly (Schema | undefined)[]): Schema | undefined => {
  const [only, ...others] = new Set(schemas.filter((schema) => schema !== undefined));
  return only === undefined || others.length === 0 ? only : z.union([only, ...others]);
};

const memberOf = (schema: Schema, key: PropertyKey): Schema | undefined => {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'object':
      return def.shape[String(key)];
    case 'array':
      return def.element;
    case 'record':
      return def.valueType;
    case 'union':
      return oneOf(def.options.map((option) => memberOf(option, key)));
    default:
      return undefined;
  }
};

interface ValueAtPath {
  readonly schema: Schema;
  readonly value: unknown;
}

/** What stands at a path of a value, in the branches of unions that the value is meant for. */
const valueAtPath = (root: Schema, path: readonly PropertyKey[], input: unknown): ValueAtPath | undefined => {
  let schema: Schema | undefined = root;
  let value: unknown = input;
  for (const key of path) {
    schema = memberOf(meantBranch(schema, value), key);
    if (schema === undefined) return undefined;
    value = typeof value === 'object' && value !== null ? (Reflect.get(value, key) as unknown) : undefined;
  }
  return { schema, value };
};

/** The schema of what stands at a path of a value, in the branch that it is meant for; undefined where the path leads nowhere. */
export const schemaAt = (root: Schema, path: readonly PropertyKey[], input: unknown): Schema | undefined => {
  const located = valueAtPath(root, path, input);
  return located === undefined ? undefined : meantBranch(located.schema, located.value);
};

/** Which of so many branches of the union at a path the value is meant for; -1 where that is unknown. */
export const branchAt = (
  root: Schema,
  path: readonly PropertyKey[],
  { input, branches }: { readonly input: unknown; readonly branches: number },
): number => {
  const located = valueAtPath(root, path, input);
  const def = located === undefined ? undefined : definitionOf(located.schema);
  return def?.type === 'union' && def.options.length === branches ? meantIndex(def.options, located?.value) : -1;
};
