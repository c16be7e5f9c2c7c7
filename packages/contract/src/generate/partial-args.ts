import { z } from 'zod';
import type { JsonRecord } from '../json/json-record.ts';
import { generateBounds } from '../limits.ts';

const { textFieldCharsMax, partialArgsMax, jsonDepthMax } = generateBounds;

/** A piece of a call's arguments, as streams of some upstreams bring them and clients send them back. */
const PartialArg = z.strictObject({
  jsonPath: z.string().min(1).max(textFieldCharsMax),
  stringValue: z.string().exactOptional(),
  numberValue: z.number().exactOptional(),
  boolValue: z.boolean().exactOptional(),
  nullValue: z.literal('NULL_VALUE').exactOptional(),
  willContinue: z.boolean().exactOptional(),
});
type PartialArg = z.infer<typeof PartialArg>;

export const PartialArgs = z.array(PartialArg).max(partialArgsMax);
export type PartialArgs = readonly PartialArg[];

type Steps = readonly (string | number)[];

/** Members by name and entries by number: `$.a.b[0]['c d']`. */
const wholePath = /^\$(?:\.[A-Za-z_]\w*|\[\d{1,6}\]|\['[^'\\]+'\])+$/;
const pathSteps = /\.([A-Za-z_]\w*)|\[(\d+)\]|\['([^']+)'\]/g;

/** The steps of a path, or null where it is of another form, too deep, or leads out of the arguments. */
const stepsOf = (path: string): Steps | null => {
  if (!wholePath.test(path)) return null;
  const steps = [...path.matchAll(pathSteps)].map(([, name, index, quoted]) =>
    index === undefined ? (name ?? quoted ?? '') : Number(index),
  );
  return steps.length > jsonDepthMax || steps.includes('__proto__') || typeof steps[0] === 'number' ? null : steps;
};

type Node = Record<string, unknown> | unknown[];

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** The value at a step, made where there is none; null where the steps of two pieces contradict each other. */
const descend = (node: Node, step: string | number, next: string | number): Node | null => {
  const found: unknown = Reflect.get(node, step);
  if (isNode(found)) return Array.isArray(found) === (typeof next === 'number') ? found : null;
  if (found !== undefined) return null;
  const made: Node = typeof next === 'number' ? [] : {};
  return place(node, step, made) ? made : null;
};

/** Lists grow by one entry after another. */
const place = (node: Node, step: string | number, value: unknown): boolean => {
  if (Array.isArray(node) && (typeof step !== 'number' || step > node.length)) return false;
  return Reflect.set(node, step, value);
};

const valueOf = ({ stringValue, numberValue, boolValue, nullValue }: PartialArg): unknown => {
  const given = [stringValue, numberValue, boolValue, nullValue === undefined ? undefined : null];
  const [value, ...others] = given.filter((each) => each !== undefined);
  return others.length > 0 ? undefined : value;
};

/** A text may come in several pieces of the same path. */
const put = (root: Node, steps: Steps, value: unknown): boolean => {
  let node: Node | null = root;
  for (const [index, step] of steps.slice(0, -1).entries()) {
    node = descend(node, step, steps[index + 1] ?? '');
    if (node === null) return false;
  }
  const last = steps.at(-1) ?? '';
  const before: unknown = Reflect.get(node, last);
  if (before === undefined) return place(node, last, value);
  return typeof before === 'string' && typeof value === 'string' && place(node, last, before + value);
};

/** The arguments that pieces are of, added to those that came whole; null where the pieces make none. */
export const joinPartialArgs = (args: JsonRecord, pieces: PartialArgs): JsonRecord | null => {
  const joined: Record<string, unknown> = structuredClone(args);
  for (const piece of pieces) {
    const steps = stepsOf(piece.jsonPath);
    const value = valueOf(piece);
    if (steps === null || value === undefined || !put(joined, steps, value)) return null;
  }
  return joined;
};
