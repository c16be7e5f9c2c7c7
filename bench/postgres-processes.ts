// The same load from several processes at once.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { LoadPlan, LoadResult } from './ledger-load.ts';

const workerScript = fileURLToPath(new URL('postgres-worker.ts', import.meta.url));

/** Starts a process that opens the storage and waits for `go`. */
const startWorker = (url: string, plan: LoadPlan) => {
  const args = ['--conditions=@tollgate/source', workerScript, url, JSON.stringify(plan)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ready = Promise.withResolvers<void>();
  let result: LoadResult | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === 'ready') ready.resolve();
    // What a worker prints at its end is its result.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    else result = JSON.parse(line) as LoadResult;
  });
  const done = new Promise<LoadResult>((resolve, reject) => {
    child.on('close', (code) => {
      if (code === 0 && result !== undefined) resolve(result);
      else reject(new Error(`a worker ended with ${code}`));
    });
  });
  return { ready: ready.promise, go: () => child.stdin.end('go\n'), done };
};

/** All processes together; of their latencies the worst. */
export const runProcesses = async (url: string, plan: LoadPlan, count: number): Promise<LoadResult> => {
  const workers = Array.from({ length: count }, () => startWorker(url, plan));
  await Promise.all(workers.map((worker) => worker.ready));
  for (const worker of workers) worker.go();
  const results = await Promise.all(workers.map((worker) => worker.done));
  return {
    pairs: results.reduce((sum, result) => sum + result.pairs, 0),
    elapsedMs: Math.max(...results.map((result) => result.elapsedMs)),
    openP50Ms: Math.max(...results.map((result) => result.openP50Ms)),
    openP99Ms: Math.max(...results.map((result) => result.openP99Ms)),
  };
};
