import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endlessPrograms, hostilePrograms } from '../../test/hostile-programs.ts';
import { isHarmless, openPythonWorld } from '../../test/python-world.ts';
import { createPythonSandbox } from './python-sandbox.ts';

const world = openPythonWorld();
const { cacheFolder } = world;
const sandbox = createPythonSandbox({ cacheFolder, processesMax: 2, runMs: 600_000 });
const impatient = createPythonSandbox({ cacheFolder, processesMax: 2, runMs: 3_000 });
let port = 0;

beforeAll(async () => {
  port = await world.start();
  await sandbox.prepare();
});
afterAll(world.stop);

/** Their names; what they do depends on the server's port. */
const names = hostilePrograms({ ...world, port: 0 }).map(([name]) => name);

describe.concurrent('a hostile program that', () => {
  test.each(names)('%s gets nothing', async (name) => {
    const [, code = ''] = hostilePrograms({ ...world, port }).find(([known]) => known === name) ?? [];
    expect(await sandbox.run({ code })).toSatisfy(isHarmless);
  });

  test.each(endlessPrograms)('%s is killed', async (_, code, kind) => {
    const outcome = await (kind === 'time' ? impatient : sandbox).run({ code });
    expect(outcome.kind).toBe(kind);
    expect(outcome).toSatisfy(isHarmless);
  });
});

test('leaves the host as it was after all of them', async () => {
  expect(names.length + endlessPrograms.length).toBeGreaterThanOrEqual(50);
  expect(world.accepted()).toBe(0);
  expect(
    readdirSync(cacheFolder)
      .toSorted()
      .filter((name) => !name.endsWith('.snapshot')),
  ).toEqual(['secret.txt']);
  expect(existsSync('/tmp/evil.txt')).toBe(false);
  expect(await sandbox.run({ code: 'print("well")' })).toMatchObject({ kind: 'ended', output: 'well\n' });
});
