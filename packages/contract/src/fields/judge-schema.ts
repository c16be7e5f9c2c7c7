import { isRecord, type JsonRecord } from '../json/json-record.ts';
import { schemaBounds } from '../limits.ts';

const lists = ['allOf', 'anyOf', 'oneOf'] as const;
const singles = ['not', 'if', 'then', 'else'] as const;
const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const;

/** What is looked up in a schema, gathered where a reference asks for it first. */
interface Lookup {
  readonly root: JsonRecord;
  readonly anchors: ReadonlyMap<string, unknown>;
  /** Whether a part of it has an address of its own, which references may name. */
  readonly hasAddresses: boolean;
}

interface Judging {
  readonly lookup: () => Lookup;
  /** Schemas that are being judged by this very value: one that leads back to itself never ends. */
  readonly open: Set<object>;
  visits: number;
}

/** Every object of a schema; its size was bounded before. */
const objectsIn = (root: JsonRecord): readonly JsonRecord[] => {
  const found: JsonRecord[] = [];
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (isRecord(value)) found.push(value);
    for (const child of Object.values(value)) waiting.push(child);
  }
  return found;
};

const createLookup = (root: JsonRecord): (() => Lookup) => {
  let made: Lookup | null = null;
  const make = (): Lookup => {
    const objects = objectsIn(root);
    const anchored = objects.filter(({ $anchor }) => typeof $anchor === 'string');
    return {
      root,
      anchors: new Map(anchored.map((object) => [String(object['$anchor']), object])),
      hasAddresses: objects.some(({ $id, id }) => typeof $id === 'string' || typeof id === 'string'),
    };
  };
  return () => (made ??= make());
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const atPointer = (root: unknown, pointer: string): unknown => {
  let value = root;
  for (const step of pointer.split('/').slice(1)) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name) as unknown;
  }
  return value;
};

/** Of a reference to another address that the schema itself may hold, nothing is known here: it counts as good. */
const refersWell = (reference: unknown, judging: Judging): boolean => {
  if (typeof reference !== 'string') return false;
  const { root, anchors, hasAddresses } = judging.lookup();
  if (!reference.startsWith('#')) return hasAddresses;
  const fragment = reference.slice(1);
  if (fragment === '') return holdsUp(root, judging);
  const target = fragment.startsWith('/') ? atPointer(root, fragment) : anchors.get(fragment);
  return target === undefined ? hasAddresses : holdsUp(target, judging);
};

const keywordsHold = (schema: JsonRecord, judging: Judging): boolean => {
  if (schema['enum'] !== undefined && !Array.isArray(schema['enum'])) return false;
  for (const name of maps) if (typeof schema[name] === 'string') return false;
  if (schema['$ref'] !== undefined && !refersWell(schema['$ref'], judging)) return false;
  for (const name of singles) if (schema[name] !== undefined && !holdsUp(schema[name], judging)) return false;
  for (const name of lists) {
    const list = schema[name];
    if (list === undefined) continue;
    if (!Array.isArray(list) || !list.every((entry) => holdsUp(entry, judging))) return false;
  }
  return true;
};

/** Goes where a judge goes that has a value without an inside: through everything that applies to the value itself. */
const holdsUp = (schema: unknown, judging: Judging): boolean => {
  if (typeof schema === 'boolean') return true;
  judging.visits += 1;
  if (!isRecord(schema) || judging.visits > schemaBounds.visitsMax || judging.open.has(schema)) return false;
  judging.open.add(schema);
  const holds = keywordsHold(schema, judging);
  judging.open.delete(schema);
  return holds;
};

/**
 * Tells whether an answer can be judged by a schema at all: its references lead somewhere and come to an end, they do not
 * multiply, and its keywords are of their form. Only what every value meets is checked, within a bound; deeper faults are the
 * provider's to tell. The schema was bounded by `checkClientSchema` before.
 */
export const isWorkableSchema = (schema: JsonRecord): boolean =>
  holdsUp(schema, { lookup: createLookup(schema), open: new Set(), visits: 0 });
