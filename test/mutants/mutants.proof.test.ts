import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { mutants } from './mutants.ts';
import { mutantVariable } from './plant-mutant.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const folder = mkdtempSync(join(tmpdir(), 'tollgate-mutants-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
}

const escaped = (title: string): string => title.replaceAll(/[^\w ]/g, '.');

/** The tests of a mutant's title that ran, failed or passed, with the mutant in place or without. */
const statusesOf = async (mutant: (typeof mutants)[number], isPlanted: boolean): Promise<readonly string[]> => {
  const { project, file, title } = mutant.test;
  const report = join(folder, `${mutants.indexOf(mutant)}-${isPlanted}.json`);
  const env = { ...process.env, ...(isPlanted ? { [mutantVariable]: mutant.name } : {}) };
  const asked = ['run', '--project', project, file, '-t', escaped(title), '--reporter=json', `--outputFile=${report}`];
  // A run with a test that fails ends with 1, as it should.
  await promisify(execFile)(process.execPath, [vitest, ...asked], { cwd: root, env }).catch(() => undefined);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ title: of, status }) => of.includes(title) && status !== 'skipped' && status !== 'pending')
    .map(({ status }) => status);
};

test.each(mutants)('the tests notice that $name', async (mutant) => {
  expect(new Set(await statusesOf(mutant, false))).toEqual(new Set(['passed']));
  expect(await statusesOf(mutant, true)).toContain('failed');
});
