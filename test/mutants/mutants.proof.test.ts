import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import type { Mutant } from './mutant.ts';
import { mutants } from './mutants.ts';
import { mutantVariable } from './plant-mutant.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const folder = mkdtempSync(join(tmpdir(), 'tollgate-mutants-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Result {
  readonly status: string;
  readonly title: string;
}
interface Report {
  readonly testResults: readonly { readonly assertionResults: readonly Result[] }[];
}

const escaped = (title: string): string => title.replaceAll(/[^\w ]/g, '.');

let reports = 0;

/** The results of the tests of a file that have one of the titles, with a mutant in place or without. */
const run = async (
  { project, file }: Mutant['test'],
  titles: readonly string[],
  planted: Readonly<Record<string, string>>,
): Promise<readonly Result[]> => {
  reports += 1;
  const report = join(folder, `${reports}.json`);
  const asked = ['run', '--project', project, file, '-t', titles.map(escaped).join('|')];
  const told = ['--reporter=json', `--outputFile=${report}`];
  const env = { ...process.env, ...planted };
  // A run with a test that fails ends with 1, as it should.
  await promisify(execFile)(process.execPath, [vitest, ...asked, ...told], { cwd: root, env }).catch(() => undefined);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  return testResults.flatMap(({ assertionResults }) => assertionResults);
};

/** Of the tests of a title that ran, failed or passed. */
const statusesOf = (results: readonly Result[], title: string): readonly string[] =>
  results
    .filter((one) => one.title.includes(title) && one.status !== 'skipped' && one.status !== 'pending')
    .map(({ status }) => status);

const healthy = new Map<string, Promise<readonly Result[]>>();

/** The tests of all mutants of one file, without any of them: one run serves every mutant. */
const runHealthy = ({ test: asked }: Mutant): Promise<readonly Result[]> => {
  const known = healthy.get(asked.file);
  if (known !== undefined) return known;
  const titles = mutants.flatMap((one) => (one.test.file === asked.file ? [one.test.title] : []));
  const running = run(asked, [...new Set(titles)], {});
  healthy.set(asked.file, running);
  return running;
};

test.each(mutants)('the tests notice that $name', async (mutant) => {
  const { title } = mutant.test;
  expect(new Set(statusesOf(await runHealthy(mutant), title))).toEqual(new Set(['passed']));
  const planted = await run(mutant.test, [title], { [mutantVariable]: mutant.name });
  expect(statusesOf(planted, title)).toContain('failed');
});
