// Runs the whole program as a process, and sees that it ends well and that no process of it is left.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(new URL('main.ts', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const exited = once(child, 'exit');
const lines: string[] = [];
for await (const line of createInterface({ input: child.stdout })) {
  console.log(line);
  lines.push(line);
}
assert.deepEqual(await exited, [0, null]);
assert.equal(lines.filter((line) => line.startsWith('ok  ')).length, 6);
const pids = lines.flatMap((line) => Array.from(line.matchAll(/\(pid (\d+)\)/g), ([, pid]) => Number(pid)));
assert.ok(pids.length >= 6);
for (const pid of pids) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
console.log(`ok  none of ${pids.length} processes is left`);
