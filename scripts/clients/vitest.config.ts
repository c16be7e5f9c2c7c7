import { defineConfig } from 'vitest/config';

/** The clients that are installed here alone, and by `npm run clients`. */
export default defineConfig({
  ssr: { resolve: { conditions: ['@tollgate/source', 'module', 'node', 'development|production'] } },
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    pool: 'threads',
    maxWorkers: 1,
    testTimeout: 60_000,
  },
});
