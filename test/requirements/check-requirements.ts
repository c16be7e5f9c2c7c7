import type { Requirement } from './requirement.ts';

/** The ids that a title names in square brackets. */
export const idsOfTitle = (title: string): readonly string[] =>
  Array.from(title.matchAll(/\[([a-z]+(?::[a-z0-9.-]+)+)\]/g), ([, id = '']) => id);

/** Every id of the contract exactly once, and no other. */
export const listProblems = (requirements: readonly Requirement[], specIds: readonly string[]): readonly string[] => {
  const known = new Set(specIds);
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const { id, area } of requirements) {
    if (seen.has(id)) problems.push(`${id} is listed twice`);
    if (!known.has(id)) problems.push(`${id} is no rule of the contract`);
    if (!id.startsWith(`${area}:`)) problems.push(`${id} is not of the area ${area}`);
    seen.add(id);
  }
  return [...problems, ...specIds.filter((id) => !seen.has(id)).map((id) => `${id} is not listed`)];
};

/** What the titles of the tests say against the list. */
export const titleProblems = (requirements: readonly Requirement[], titles: readonly string[]): readonly string[] => {
  const named = new Set(titles.flatMap(idsOfTitle));
  const known = new Set(requirements.map(({ id }) => id));
  return [
    ...[...named].filter((id) => !known.has(id)).map((id) => `${id} is named by a test and is no rule`),
    ...requirements
      .filter(({ id, status }) => status === 'verified' && !named.has(id))
      .map(({ id }) => `${id} is verified by no test`),
    ...requirements
      .filter(({ id, status }) => status === 'open' && named.has(id))
      .map(({ id }) => `${id} is open and named by a test: it could be verified already`),
  ];
};

/** What an open rule waits for and is there. */
export const openProblems = (requirements: readonly Requirement[], present: readonly string[]): readonly string[] => {
  const there = new Set(present);
  return requirements.flatMap((requirement) =>
    requirement.status === 'open' && there.has(requirement.needs)
      ? [`${requirement.id} waits for ${requirement.needs}, which exists: verify it`]
      : [],
  );
};

/** For each rule that was shown: the mutant that its own tests noticed, and most other tests of the same place did not. */
export type Shown = Readonly<Record<string, string>>;

/** What the list of shown rules says against the rules and the sources. A key of a mutant begins with its file. */
export const shownProblems = (
  requirements: readonly Requirement[],
  shown: Shown,
  exists: (file: string) => boolean,
): readonly string[] => {
  const verified = new Set(requirements.filter(({ status }) => status === 'verified').map(({ id }) => id));
  return Object.entries(shown).flatMap(([id, mutant]) => {
    if (!verified.has(id)) return [`${id} is shown by a mutant and is no verified rule`];
    const [file = ''] = mutant.split(' ');
    return exists(file)
      ? []
      : [`${id} is shown by a mutant of ${file}, which is not there: npm run mutate:requirements`];
  });
};
