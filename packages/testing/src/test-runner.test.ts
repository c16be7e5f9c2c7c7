import { expect, test } from 'vitest';
import { skipTest } from './test-runner.ts';

test('skips by the runner with the reason, and prints it where the runner cannot skip', () => {
  const reasons: string[] = [];
  const { info } = console;
  console.info = (line: string) => void reasons.push(line);
  try {
    skipTest({ skip: (reason) => reasons.push(reason) }, 'a test', 'it has no embed');
    skipTest({}, 'a test', 'it has no embed');
    skipTest(undefined, 'another', 'it has no videos');
  } finally {
    console.info = info;
  }
  expect(reasons).toEqual([
    'it has no embed',
    'skipped: a test: it has no embed',
    'skipped: another: it has no videos',
  ]);
});
