// Locks its realm as the process of a Python program does, tries what such a program would like to do, and writes a line for each
// thing that still can be done.
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs, { writeSync } from 'node:fs';
import net from 'node:net';
import vm from 'node:vm';
import { lock } from '../src/python-child/lock.ts';

const own = process;
const getOfGlobal = (name: string): unknown => Reflect.get(globalThis, name);
const realm = vm.createContext({});
const socket = new net.Socket();

/** Each does what must not be possible, or throws. */
const attempts: Readonly<Record<string, () => unknown>> = {
  'writes to a descriptor': () => fs.writeSync(1, 'written\n'),
  'reads a descriptor': () => fs.readSync(0, new Uint8Array(1)),
  'opens a file': () => fs.openSync(import.meta.filename, 'r'),
  'reads a file later': () => fs.promises.readFile(import.meta.filename),
  'makes a stream of a file': () => fs.createReadStream(import.meta.filename),
  connects: () => net.connect(1),
  'uses a socket that it has': () => socket.setNoDelay(),
  listens: () => net.createServer(),
  'sends datagrams': () => dgram.createSocket('udp4'),
  'asks a name server': () => dns.lookup('example.com', () => undefined),
  'asks a name server later': () => dns.promises.lookup('example.com'),
  'runs a text': (): unknown => vm.runInContext('1', realm),
  'ends another process': () => own.kill(own.pid, 0),
  'loads a native module': () => own.dlopen({}, 'x'),
  'starts a program': () => childProcess.spawn('true'),
};
const globals = [
  'process',
  'fetch',
  'Buffer',
  'WebSocket',
  'setTimeout',
  'require',
  'console',
  'performance',
  'crypto',
];
const intrinsics = {
  Object,
  Function,
  Array,
  Promise,
  Error,
  Uint8Array,
  Map,
  JSON,
  Reflect,
  AsyncFunction: (async () => undefined).constructor,
  TypedArray: Reflect.getPrototypeOf(Uint8Array) ?? {},
};

lock();

const report = (what: string): void => void writeSync(1, `${what}\n`);
for (const [what, attempt] of Object.entries(attempts)) {
  try {
    const done = attempt();
    if (done instanceof Promise) done.catch(() => undefined);
    report(what);
  } catch {
    // As it must be.
  }
}
for (const name of globals) if (getOfGlobal(name) !== undefined) report(`has the global ${name}`);
for (const [name, value] of Object.entries(intrinsics)) {
  const prototype: unknown = Reflect.get(value, 'prototype');
  if (Reflect.set(value, 'added', 1)) report(`changes ${name}`);
  if (typeof prototype === 'object' && prototype !== null && Reflect.set(prototype, 'added', 1))
    report(`changes what every ${name} inherits from`);
}
try {
  await import('node:os');
  report('imports');
} catch {
  // As it must be.
}
report('done');
