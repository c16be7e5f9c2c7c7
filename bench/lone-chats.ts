import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { openRawConnection } from './load/raw-connection.ts';
import { createRequestBytes, type RequestSpec } from './load/request-bytes.ts';

const lookMs = 20;
const waitMsMax = 10_000;

/** Sends requests one after another on one connection; returns the milliseconds of each. Throws on a response other than 200. */
export const sendOneByOne = async (request: RequestSpec, times: number, seed: string): Promise<readonly number[]> => {
  const bytes = createRequestBytes(request, seed);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const tookMs: number[] = [];
  let sentMs = 0;
  const send = (): void => {
    sentMs = performance.now();
    connection.send(bytes.next());
  };
  const connection = await openRawConnection({
    port: request.port,
    onAnswer: (status) => {
      tookMs.push(performance.now() - sentMs);
      if (status !== 200) reject(new Error(`the gateway returned ${status}`));
      else if (tookMs.length === times) resolve();
      else send();
    },
    onBroken: reject,
  });
  send();
  await promise;
  connection.close();
  return tookMs;
};

/** Has a process write its report to a file, and returns what is in it. */
export const askForFile = async (pid: number, file: string): Promise<unknown> => {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let waitedMs = 0; !existsSync(file); waitedMs += lookMs) {
    if (waitedMs > waitMsMax) throw new Error('the gateway wrote no report');
    await delay(lookMs);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
};
