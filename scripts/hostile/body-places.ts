import { branchesOf, type JsonShape } from './json-shape.ts';

/** One step from a value to a value inside it: a field of one alternative, or the item of a list. */
export type Step =
  | { readonly kind: 'field'; readonly branch: number; readonly name: string }
  | { readonly kind: 'item'; readonly branch: number };

/** A value in a body that hostile content can stand for. */
export interface Place {
  readonly steps: readonly Step[];
  /** What the contract expects there. */
  readonly shape: JsonShape;
}

const fieldsOf = (shape: JsonShape, branch: number): readonly (readonly [Step, JsonShape])[] =>
  Object.entries(shape.properties ?? {}).map(([name, inner]) => [{ kind: 'field', branch, name }, inner]);

const insideOf = (shape: JsonShape, branch: number): readonly (readonly [Step, JsonShape])[] => [
  ...fieldsOf(shape, branch),
  ...(shape.items === undefined ? [] : [[{ kind: 'item', branch }, shape.items] as const]),
];

/** Every place of a body, the body itself first. Shapes do not recur, so the walk ends. */
export const placesOf = (shape: JsonShape, steps: readonly Step[] = []): readonly Place[] => [
  { steps, shape },
  ...branchesOf(shape).flatMap((branch, index) =>
    insideOf(branch, index).flatMap(([step, inner]) => placesOf(inner, [...steps, step])),
  ),
];

/** The place as a reader knows it: `messages.*.content`. */
export const placeName = ({ steps }: Place): string =>
  steps.map((step) => (step.kind === 'item' ? '*' : step.name)).join('.') || 'body';
