import type { Path } from './field-fault.ts';
import { isRecord } from '../json/json-record.ts';

/** A regular expression that a schema holds, and its place in the schema. */
export interface SchemaPattern {
  readonly path: Path;
  readonly pattern: string;
}

interface Place {
  readonly value: object;
  readonly path: Path;
}

const patternsAt = ({ value, path }: Place): readonly SchemaPattern[] => {
  if (!isRecord(value)) return [];
  const { pattern, patternProperties } = value;
  const own = typeof pattern === 'string' ? [{ path: [...path, 'pattern'], pattern }] : [];
  if (!isRecord(patternProperties)) return own;
  const names = Object.keys(patternProperties);
  return [...own, ...names.map((name) => ({ path: [...path, 'patternProperties'], pattern: name }))];
};

/** Every object and list inside a schema. The size of the schema was bounded before. */
function* placesOf(schema: object): Generator<Place, void> {
  const waiting: Place[] = [{ value: schema, path: [] }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    yield place;
    const { value, path } = place;
    const isList = Array.isArray(value);
    for (const name of Object.keys(value)) {
      const child: unknown = Reflect.get(value, name);
      if (typeof child === 'object' && child !== null)
        waiting.push({ value: child, path: [...path, isList ? Number(name) : name] });
    }
  }
}

/** Every text of a schema that a check of a value may compile as a regular expression. */
export function* patternsOf(schema: object): Generator<SchemaPattern, void> {
  for (const place of placesOf(schema)) yield* patternsAt(place);
}

/** Whether a schema holds that texts of the value are themselves regular expressions, which a check then compiles. */
export const asksForPatterns = (schema: object): boolean => {
  for (const { value } of placesOf(schema)) if (isRecord(value) && value['format'] === 'regex') return true;
  return false;
};

/** Whether a check by a schema compiles any regular expression. Nothing can interrupt a compilation. */
export const compilesPatterns = (schema: object): boolean =>
  patternsOf(schema).next().done !== true || asksForPatterns(schema);
