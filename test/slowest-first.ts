import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first: one of them that began last would keep one of two cores idle. */
const slowest = [
  'proof/simulation/simulation.test.ts',
  'test/gateway/postgres-socket.proof.test.ts',
  'src/python/hostile-programs.proof.test.ts',
  'test/gateway/postgres.test.ts',
  'test/gateway/sqlite-socket.proof.test.ts',
  'proof/torture/torture-postgres.proof.test.ts',
  'proof/soak/soak.proof.test.ts',
  'proof/kinds/kinds.proof.test.ts',
  'proof/torture/torture.proof.test.ts',
  'test/gateway/sqlite.test.ts',
  'test/gateway/memory-socket.test.ts',
  'test/hostile/every-route.test.ts',
  'src/postgres-storage.test.ts',
  'src/python/python-sandbox.test.ts',
  'src/page-text.test.ts',
  'src/sqlite-storage.test.ts',
  'test/docs.test.ts',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = slowest.findIndex((path) => moduleId.endsWith(path));
  return rank === -1 ? slowest.length : rank;
};

/** The order of Vitest, but for the slowest files of each project. Vitest takes a class and nothing else. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Not the method of an array.
    // oxlint-disable-next-line unicorn/no-array-sort
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) =>
      sorted.filter(({ project }) => project.name === name).toSorted((a, b) => rankOf(a) - rankOf(b)),
    );
  }
}
