import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { mutants } from './mutants.ts';
import { plantedIn } from './plant-mutant.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('every mutant has a name of its own, a text that its file holds once, and a title that a test has', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  for (const mutant of mutants) {
    const source = readFileSync(`${root}${mutant.file}`, 'utf8');
    expect(plantedIn(mutant, source), mutant.name).not.toBe(source);
    const { file, cases = file, title } = mutant.test;
    expect(existsSync(`${root}${file}`), mutant.name).toBe(true);
    expect(readFileSync(`${root}${cases}`, 'utf8'), mutant.name).toContain(title);
  }
});
