import type { Figure } from './figure.ts';

/** The most that a figure may be, by its id. */
export type Ceilings = Readonly<Record<string, number>>;

export type Verdict = 'held' | 'lower the ceiling' | 'worse' | 'no ceiling';

export const judge = ({ id, value }: Figure, ceilings: Ceilings): Verdict => {
  const ceiling = Object.hasOwn(ceilings, id) ? ceilings[id] : undefined;
  if (ceiling === undefined) return 'no ceiling';
  if (value > ceiling) return 'worse';
  return value < ceiling ? 'lower the ceiling' : 'held';
};

/** Ceilings of figures that are not measured any more. */
export const strayCeilings = (figures: readonly Figure[], ceilings: Ceilings): readonly string[] =>
  Object.keys(ceilings).filter((id) => figures.every((figure) => figure.id !== id));

/** The ceilings as low as the figures: none is raised, a new figure gets its own value, one that is gone loses its line. */
export const lowerCeilings = (figures: readonly Figure[], ceilings: Ceilings): Ceilings =>
  Object.fromEntries(
    figures.map(({ id, value }) => [
      id,
      Math.min(value, Object.hasOwn(ceilings, id) ? (ceilings[id] ?? value) : value),
    ]),
  );
