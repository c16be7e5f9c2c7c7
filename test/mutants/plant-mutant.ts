import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutant.ts';
import { mutants } from './mutants.ts';

/** Names the mutant that a test run carries. */
export const mutantVariable = 'TOLLGATE_MUTANT';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const plantedIn = ({ name, search, replace }: Mutant, source: string): string => {
  const parts = source.split(search);
  if (parts.length !== 2) throw new Error(`the mutant "${name}" finds its text ${parts.length - 1} times`);
  return parts.join(replace);
};

/** What changes one source as it is loaded, where the environment names a mutant. No file is written. */
export const plantMutant = () => {
  const name = process.env[mutantVariable];
  if (name === undefined) return [];
  const mutant = mutants.find((each) => each.name === name);
  if (mutant === undefined) throw new Error(`there is no mutant "${name}"`);
  const path = `${root}${mutant.file}`;
  return [
    {
      name: `mutant: ${name}`,
      enforce: 'pre' as const,
      transform: (source: string, id: string): string | undefined =>
        id.split('?')[0] === path ? plantedIn(mutant, source) : undefined,
    },
  ];
};
