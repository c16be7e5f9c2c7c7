import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';
import { readPlan } from './read-plan.ts';

const root = path.resolve(import.meta.dirname, '../..');
const plan = readPlan();

/** A test that takes longer is taken for one that never ends: those of the plan take a fraction of it. */
const testMs = 5000;

const rankOf = ({ moduleId }: TestSpecification): number => plan.files.indexOf(path.relative(root, moduleId));

/** The order of the plan. Vitest takes a class and nothing else. */
class PlannedOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((a, b) => rankOf(a) - rankOf(b)));
  }
}

const switchedSources = {
  name: 'switched sources',
  enforce: 'pre' as const,
  transform: (_source: string, id: string): string | undefined => {
    const place = plan.sources[path.relative(root, id.split('?')[0] ?? '')];
    return place === undefined ? undefined : readFileSync(place, 'utf8');
  },
};

export default defineConfig({
  root,
  plugins: [switchedSources],
  ssr: { resolve: { conditions: ['@tollgate/source', 'module', 'node', 'development|production'] } },
  test: {
    include: [...plan.files],
    exclude: ['**/node_modules/**'],
    runner: path.join(import.meta.dirname, 'mutant-runner.ts'),
    pool: 'threads',
    // One thread with one copy of the modules: a mutant is a switch in it.
    maxWorkers: 1,
    isolate: false,
    // The same file has other switches in another run.
    fsModuleCache: false,
    restoreMocks: true,
    globalSetup: path.join(root, 'test/postgres-setup.ts'),
    sequence: { sequencer: PlannedOrder },
    testTimeout: plan.mode === 'cover' ? 60_000 : testMs,
    hookTimeout: plan.mode === 'cover' ? 60_000 : testMs,
    expect: { poll: { timeout: testMs } },
    reporters: [{}],
    silent: true,
    onConsoleLog: () => false,
    dangerouslyIgnoreUnhandledErrors: true,
    env: { TEST_SCALE: '1', TOLLGATE_HISTORIES: '0.2', TOLLGATE_SIMULATIONS: '0.1' },
  },
});
