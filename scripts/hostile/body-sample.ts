import type { Step } from './body-places.ts';
import { branchesOf, type JsonShape } from './json-shape.ts';

/** Stands in a sample for the text that is put in its place; no JSON text of a sample holds it otherwise. */
export const marker = '@@hostile@@';

const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';
/** A 1x1 PNG, which every place of media takes as data. */
const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const textOf = ({ format, minLength = 0 }: JsonShape, name: string): string => {
  if (format === 'uuid') return uuid;
  if (format === 'uri') return 'https://example.com/hook';
  if (name === 'data') return base64;
  if (name === 'url') return `data:image/png;base64,${base64}`;
  if (/mime_?type/i.test(name)) return 'image/png';
  if (name === 'schedule') return '0 0 1 1 *';
  return 'x'.repeat(Math.max(1, minLength));
};

const typeOf = ({ type, properties, items }: JsonShape): string => {
  const first = typeof type === 'string' ? type : type?.[0];
  if (first !== undefined) return first;
  if (properties !== undefined) return 'object';
  return items === undefined ? 'string' : 'array';
};

/** The alternative that a sample takes where no step says which: of turns that of a user, without which no conversation is whole. */
const usualBranch = (branches: readonly JsonShape[]): number =>
  Math.max(
    0,
    branches.findIndex(({ properties }) => properties?.['role']?.const === 'user'),
  );

const objectOf = (shape: JsonShape, step: Step | undefined, rest: readonly Step[]): unknown => {
  const led = step?.kind === 'field' ? step.name : null;
  const names = [...new Set([...(shape.required ?? []), ...(led === null ? [] : [led])])];
  return Object.fromEntries(
    names.map((name) => [name, sampleOf(shape.properties?.[name] ?? {}, name === led ? rest : null, name)]),
  );
};

/**
 * The smallest value of a shape. `steps` lead to the place that holds the marker instead; null where there is none in this value.
 */
export const sampleOf = (shape: JsonShape, steps: readonly Step[] | null, name = ''): unknown => {
  if (steps?.length === 0) return marker;
  const [step, ...rest] = steps ?? [];
  const branches = branchesOf(shape);
  const branch = branches[step?.branch ?? usualBranch(branches)] ?? {};
  if (branch.const !== undefined) return branch.const;
  if (branch.enum !== undefined) return branch.enum[0];
  switch (typeOf(branch)) {
    case 'object':
      return objectOf(branch, step, rest);
    case 'array':
      return step === undefined && (branch.minItems ?? 0) === 0
        ? []
        : [sampleOf(branch.items ?? {}, step === undefined ? null : rest, name)];
    case 'integer':
    case 'number':
      return Math.max(1, branch.minimum ?? 1);
    case 'boolean':
      return true;
    default:
      return textOf(branch, name);
  }
};
