// The test runner for suites that need a MariaDB server, which not every machine has.
import type { TestRunner } from '@tollgate/testing/storage';
import { describe, test } from 'vitest';
import { hasMariaDb } from './mariadb-files.ts';

/** Skips everything where there is no server, and says so in one line. */
export const onMariaDb = (name: string): TestRunner => {
  const isThere = hasMariaDb();
  if (!isThere) console.info(`${name}: left out, for this machine has no mariadbd`);
  return {
    describe: (title, body) => {
      // A title is a variable here, and the body comes from the suite.
      // oxlint-disable-next-line vitest/valid-title
      describe.runIf(isThere)(title, () => {
        body();
      });
    },
    test,
  };
};
