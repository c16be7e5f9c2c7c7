// Kills the program of the shop by a signal that it cannot catch, and sees that everything that it had started ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from './until.ts';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

export const checkKill = async (): Promise<void> => {
  const program = fileURLToPath(new URL('main.ts', import.meta.url));
  // With a database and a Stripe of its own, whatever the check itself runs on.
  const env = { ...process.env, DATABASE_URL: '', STRIPE_SECRET_KEY: '', PORT: '' };
  const main = spawn(process.execPath, [...process.execArgv, program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(main, 'exit');
  let said = '';
  for await (const chunk of main.stdout) {
    said += String(chunk);
    if (said.includes('payments go to')) break;
  }
  const pids = (/^processes: (.*)$/mu.exec(said)?.[1] ?? '').split(' ').map(Number);
  assert.equal(pids.length, 4, said);
  for (const pid of pids) assert.ok(isAlive(pid));
  main.kill('SIGKILL');
  await exited;
  await until('the end of what a killed program leaves', async () => !pids.some(isAlive));
  console.log('ok  a program that is killed leaves neither a process nor a database');
};
