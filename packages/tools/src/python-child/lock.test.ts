import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../test/locked-process.ts', import.meta.url));

test('a locked realm has no files, no network, no process, no modules, and cannot be changed', () => {
  const args = ['--permission', '--allow-fs-read=*', '--disable-warning=ExperimentalWarning', script];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8', input: '' })).toBe('done\n');
});
