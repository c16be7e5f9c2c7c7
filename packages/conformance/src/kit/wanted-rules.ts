import { ruleIds } from '../rules/rules.ts';
import { CannotRun } from './cannot-run.ts';

/** How many letters differ: insertions, removals and replacements. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, letter] of one.split('').entries()) {
    const next = [index + 1];
    for (const [at, wanted] of other.split('').entries()) {
      const replaced = (row[at] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
};

/** Every rule and what rules begin with, up to a colon. */
const prefixes: readonly string[] = [
  ...new Set(
    ruleIds.flatMap((id) => {
      const parts = id.split(':');
      return parts.map((_, at) => parts.slice(0, at + 1).join(':'));
    }),
  ),
];

const nearest = (text: string): string => {
  const [first = ''] = prefixes.toSorted((one, other) => distance(text, one) - distance(text, other));
  return first;
};

/** Refuses what no rule begins with. */
export const assertRules = (only: readonly string[]): void => {
  for (const prefix of only)
    if (!ruleIds.some((id) => id.startsWith(prefix)))
      throw new CannotRun(`There is no rule ${prefix}, and none that begins so; the nearest is ${nearest(prefix)}.`);
};
