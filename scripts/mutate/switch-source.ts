import type { SourceMutant } from './source-mutant.ts';

/** A mutant of a source with the number of its switch. */
export interface Numbered {
  readonly id: number;
  readonly mutant: SourceMutant;
}

/** What stands at one place: the mutants of one form there. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly switches: readonly Numbered[];
}

/** The name of the switch in a source; `mutant-runner.ts` gives it. */
const name = '$mutant';

const written = ({ switches }: Place, original: string): string => {
  const [first] = switches;
  if (first === undefined) return original;
  const on = `${name}(${first.id})`;
  switch (first.mutant.form) {
    case 'expression': {
      const chosen = switches.map(({ id, mutant }) => `${name}(${id}) ? (${mutant.text}) : `).join('');
      return `(${chosen}(${original}))`;
    }
    case 'statement':
      return `{ if (!${on}) { ${original} } }`;
    case 'element':
      return `...(${on} ? [] : [${original}])`;
    case 'member':
      return `...(${on} ? {} : { ${original} })`;
  }
};

/** Mutants of one place are one place; of two forms, what is left out stands around what is changed. */
const placesOf = (numbered: readonly Numbered[]): readonly Place[] => {
  const places = new Map<string, Numbered[]>();
  for (const each of numbered) {
    const { start, end, form } = each.mutant;
    const key = `${start} ${end} ${form === 'expression' ? 1 : 0}`;
    places.set(key, [...(places.get(key) ?? []), each]);
  }
  return [...places]
    .map(([key, switches]) => {
      const [start = 0, end = 0, inner = 0] = key.split(' ').map(Number);
      return { start, end, inner, switches };
    })
    .toSorted((a, b) => a.start - b.start || b.end - a.end || a.inner - b.inner);
};

/**
 * A source with every one of its mutants behind a switch: one that is on changes what its place does, and with none on the
 * source does what it did. Types stay as they are.
 */
export const switchSource = (text: string, numbered: readonly Numbered[]): string => {
  const places = placesOf(numbered);
  let next = 0;
  const render = (from: number, to: number): string => {
    let out = '';
    let at = from;
    for (let place = places[next]; place !== undefined && place.end <= to && place.start >= at; place = places[next]) {
      next += 1;
      out += text.slice(at, place.start) + written(place, render(place.start, place.end));
      at = place.end;
    }
    return out + text.slice(at, to);
  };
  return render(0, text.length);
};
