// Counts what a process does, and writes the sums so far to the file that BUDGET_FILE names, at each SIGUSR2.
// node --import bench/gateways/count-parts.ts bench/gateways/tollgate.ts …
import { createHook } from 'node:async_hooks';
import crypto from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** What is counted, by its name in the report. */
const counts = new Map<string, number>();

const count = (name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

const namesOfResources: ReadonlyMap<string, string> = new Map([
  ['PROMISE', 'promises'],
  ['Timeout', 'timers'],
  ['Immediate', 'immediates'],
  ['TickObject', 'ticks'],
]);

/** Replaces a function of an object by one that counts its calls. */
const countCalls = (owner: object, member: string, name: string): void => {
  const original: unknown = Reflect.get(owner, member);
  if (typeof original !== 'function') throw new TypeError(`${member} is no function`);
  const counted = new Proxy(original, {
    apply: (target, self: unknown, given: unknown[]): unknown => {
      count(name);
      return Reflect.apply(target, self, given);
    },
    construct: (target, given: unknown[]): object => {
      count(name);
      // `Reflect.construct` returns the new object, which its type calls any.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return Reflect.construct(target, given) as object;
    },
  });
  Reflect.set(owner, member, counted);
};

/** Hooks of promises cost memory themselves, so what is allocated is counted in a run of its own. */
const countEvents = (): void => {
  createHook({
    init: (_id, type) => {
      const name = namesOfResources.get(type);
      if (name !== undefined) count(name);
    },
  }).enable();
  countCalls(JSON, 'parse', 'JSON parsed');
  countCalls(JSON, 'stringify', 'JSON written');
  countCalls(crypto, 'createHash', 'hashes');
  countCalls(crypto, 'hash', 'hashes');
  countCalls(globalThis, 'AbortController', 'abort controllers');
  countCalls(AbortSignal, 'any', 'abort signals joined');
  countCalls(Buffer, 'concat', 'buffers joined');
  syncBuiltinESMExports();
};

/** What was allocated since the last report: the heap is emptied after each, and has room for what comes until the next. */
let heapBytes = 0;
let allocatedBytes = 0;

const readMemory = (): Readonly<Record<string, number>> => {
  allocatedBytes += process.memoryUsage().heapUsed - heapBytes;
  globalThis.gc?.();
  heapBytes = process.memoryUsage().heapUsed;
  return { 'bytes allocated': allocatedBytes };
};

const file = process.env['BUDGET_FILE'];
if (isMainThread && file !== undefined) {
  const isOfMemory = process.env['BUDGET_OF'] === 'memory';
  if (!isOfMemory) countEvents();
  process.on('SIGUSR2', () => {
    const sums = isOfMemory ? readMemory() : Object.fromEntries(counts);
    writeFileSync(`${file}.part`, JSON.stringify(sums));
    renameSync(`${file}.part`, file);
  });
}
