import { fieldPath } from './field-path.ts';
import type { Path } from './field-fault.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { schemaBounds } from '../limits.ts';
import { tooDeepError } from './refused-value.ts';

const { nodesMax, charsMax, referencesMax, depthMax } = schemaBounds;

interface Size {
  nodes: number;
  chars: number;
  references: number;
}

type Breach = keyof Size | 'depth';

const isReference = (name: string): boolean => name === '$ref' || name === '$dynamicRef' || name === '$recursiveRef';

const breachOf = ({ nodes, chars, references }: Size): Breach | null => {
  if (nodes > nodesMax) return 'nodes';
  if (chars > charsMax) return 'chars';
  return references > referencesMax ? 'references' : null;
};

/** Counts what one object or list holds, and puts what is inside it on the next level. */
const takeNode = (node: object, size: Size, next: object[]): void => {
  const isList = Array.isArray(node);
  const names = Object.keys(node);
  size.nodes += isList ? names.length : 2 * names.length;
  if (size.nodes > nodesMax) return;
  for (const name of names) {
    const child: unknown = Reflect.get(node, name);
    if (!isList) size.chars += name.length;
    if (typeof child === 'string') size.chars += child.length;
    else if (typeof child === 'object' && child !== null) next.push(child);
    if (!isList && isReference(name)) size.references += 1;
  }
};

/** Walks level by level, and no further than the first bound that is exceeded. */
const findBreach = (schema: object): Breach | null => {
  const size: Size = { nodes: 0, chars: 0, references: 0 };
  let level: readonly object[] = [schema];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === depthMax) return 'depth';
    const next: object[] = [];
    for (const node of level) {
      takeNode(node, size, next);
      const breach = breachOf(size);
      if (breach !== null) return breach;
    }
    level = next;
  }
  return null;
};

const words: Readonly<Record<keyof Size, readonly [number, string]>> = {
  nodes: [nodesMax, 'values and field names'],
  chars: [charsMax, 'characters of text'],
  references: [referencesMax, 'references'],
};

/**
 * Bounds a schema that a client brings along, whatever it is for: its values and names, its text, its references and its depth.
 * Throws an error that names the field, what came and what is accepted.
 */
export const checkClientSchema = (schema: unknown, path: Path): void => {
  if (typeof schema !== 'object' || schema === null) return;
  const breach = findBreach(schema);
  if (breach === null) return;
  if (breach === 'depth') throw tooDeepError('invalid_request', path, depthMax);
  const [max, what] = words[breach];
  throw new GatewayError('invalid_request', {
    detail: `The field ${fieldPath(path)} is a schema of more than ${max} ${what}; accepted are at most ${max}.`,
  });
};
