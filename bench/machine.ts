import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';

const git = (...words: readonly string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim();

const gitSha = (): string => {
  try {
    const changes = git('status', '--porcelain', '--untracked-files=no');
    return `${git('rev-parse', 'HEAD')}${changes === '' ? '' : ' with changes'}`;
  } catch {
    return 'no repository';
  }
};

/** Where and on what a result was measured. */
export const describeMachine = () => ({
  cpu: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
  memoryGib: Math.round(totalmem() / 2 ** 30),
  kernel: release(),
  node: process.version,
  loadAverage: loadavg().map((value) => Number(value.toFixed(2))),
  commit: gitSha(),
});
