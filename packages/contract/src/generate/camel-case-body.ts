import { safeName } from '../fields/field-path.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { isRecord, type JsonRecord } from '../json/json-record.ts';
import { isLifted } from '../media/lifted-data.ts';

/** Objects whose members are the client's own, or JSON Schema: nothing in them is a field of the contract. */
const opaque = new Set([
  'args',
  'response',
  'parameters',
  'parametersJsonSchema',
  'responseSchema',
  'responseJsonSchema',
]);

/** How deep fields of the contract lie at the most, with room to spare; what lies deeper is none. */
const depthMax = 12;

const snakeName = /^[a-z]+(?:_[a-z]+)+$/;

const toCamel = (name: string): string =>
  name.includes('_') && snakeName.test(name)
    ? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    : name;

/** The same entries, or the list itself where none of them changes. */
const eachChanged = <T>(list: readonly T[], change: (entry: T) => T): readonly T[] => {
  let isChanged = false;
  const changed = list.map((entry) => {
    const after = change(entry);
    isChanged ||= after !== entry;
    return after;
  });
  return isChanged ? changed : list;
};

const checkOnce = (names: readonly string[]): void => {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name))
      throw new GatewayError('invalid_request', {
        detail: `The field ${safeName(name)} is given twice; accepted is it once, in one of its spellings.`,
      });
    seen.add(name);
  }
};

/** Most objects are in camel case already, with all that is inside them: they are not copied. */
const renamed = (value: JsonRecord, depth: number): JsonRecord => {
  const given = Object.keys(value);
  const names = eachChanged(given, toCamel);
  const before = given.map((name) => value[name]);
  const members = before.map((member, place) =>
    typeof member !== 'object' || opaque.has(names[place] ?? '') ? member : camelCaseBody(member, depth + 1),
  );
  if (names === given && members.every((member, place) => member === before[place])) return value;
  checkOnce(names);
  return Object.fromEntries(names.map((name, place) => [name, members[place]]));
};

// generate:tools:snake-case-lenient
/**
 * A body with its fields in camel case, whichever of the two spellings a client used. What
 * is the client's own stays as it is.
 */
export const camelCaseBody = (value: unknown, depth = 0): unknown => {
  if (depth > depthMax || isLifted(value)) return value;
  if (Array.isArray(value))
    return eachChanged(value, (entry: unknown) =>
      typeof entry === 'object' ? camelCaseBody(entry, depth + 1) : entry,
    );
  return isRecord(value) ? renamed(value, depth) : value;
};
