import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { mutants } from './mutants.ts';
import { plantedIn } from './plant-mutant.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Plants a mutant into a process that runs from sources without a bundler, for the modules that it loads from now on. */
export const plantInProcess = (name: string): void => {
  const mutant = mutants.find((each) => each.name === name);
  if (mutant === undefined) throw new Error(`there is no mutant "${name}"`);
  const url = pathToFileURL(`${root}${mutant.file}`).href;
  registerHooks({
    load: (asked, context, next) => {
      const loaded = next(asked, context);
      if (asked !== url) return loaded;
      const { source } = loaded;
      if (source === undefined || source === null) throw new Error(`${mutant.file} has no source`);
      const text = typeof source === 'string' ? source : new TextDecoder().decode(source);
      return { ...loaded, source: plantedIn(mutant, text) };
    },
  });
};
