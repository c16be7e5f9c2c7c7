import { safeName } from './field-path.ts';
import { GatewayError } from './gateway-error.ts';
import { isRecord, type JsonRecord } from './json-record.ts';
import { isLifted } from './lifted-data.ts';

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
  snakeName.test(name) ? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : name;

const renamed = (value: JsonRecord, depth: number): unknown => {
  const names = new Set<string>();
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const camel = toCamel(name);
      if (names.has(camel))
        throw new GatewayError('invalid_request', { detail: `The field ${safeName(camel)} is given twice.` });
      names.add(camel);
      return [camel, opaque.has(camel) ? member : camelCaseBody(member, depth + 1)];
    }),
  );
};

/**
 * A body with its fields in camel case, whichever of the two spellings a client used [generate:tools:snake-case-lenient]. What
 * is the client's own stays as it is.
 */
export const camelCaseBody = (value: unknown, depth = 0): unknown => {
  if (depth > depthMax || isLifted(value)) return value;
  if (Array.isArray(value)) return value.map((entry: unknown) => camelCaseBody(entry, depth + 1));
  return isRecord(value) ? renamed(value, depth) : value;
};
