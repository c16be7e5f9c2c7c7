import vm from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { ChildSetup, FrameKind } from './child-setup.ts';
import { createBridge } from './create-bridge.ts';

const limits = {
  outputBytesMax: 10,
  errorBytesMax: 5,
  filesMax: 2,
  filesBytesMax: 20,
  pathBytesMax: 4,
  snapshotBytesMax: 0,
};
const setup: ChildSetup = { folder: '/nowhere/', snapshot: null, purpose: 'run', prologue: '', runProgram: '', limits };

const open = () => {
  const sent: [FrameKind, string][] = [];
  const job = { code: '', files: [{ path: 'a', sizeBytes: 1 }] };
  const input = { token: new Uint8Array(16), job, contents: Buffer.from('x') };
  const bridge = createBridge(setup, input, (kind, body) => sent.push([kind, Buffer.from(body).toString('latin1')]));
  return { bridge, sent };
};

/** A byte array that says the wrong things about itself, as a program can make one in its realm. */
const liar = (bytes: number): Uint8Array =>
  vm.runInNewContext(`
    const liar = new Uint8Array(${bytes}).fill(120);
    const lies = { byteLength: -1_000_000, length: 0.5, subarray: () => ({ byteLength: 1 }), set: () => undefined };
    for (const [name, value] of Object.entries(lies)) Object.defineProperty(liar, name, { value });
    liar[Symbol.iterator] = function* () {};
    liar;
  `) as Uint8Array;

describe('the bridge', () => {
  test('passes text on up to its limit, whatever the array says of its length', () => {
    const { bridge, sent } = open();
    expect([8, 8, 8].map((bytes) => bridge.output(liar(bytes)))).toEqual([true, true, false]);
    expect(bridge.errors(liar(9))).toBe(true);
    expect(sent).toEqual([
      ['o', 'x'.repeat(8)],
      ['o', 'x'.repeat(2)],
      ['e', 'x'.repeat(5)],
    ]);
  });

  test('sends no frame for an empty text', () => {
    const { bridge, sent } = open();
    for (let count = 0; count < 3; count += 1) bridge.output(liar(0));
    expect(sent).toEqual([]);
  });

  test('passes files on up to their number and bytes, and says what room is left', () => {
    const { bridge, sent } = open();
    expect(bridge.roomBytes()).toBe(20);
    bridge.file('large', liar(1));
    bridge.file('b', liar(21));
    bridge.file('c', liar(3));
    expect(bridge.roomBytes()).toBe(17);
    bridge.file('d', liar(0));
    bridge.file('e', liar(1));
    expect(bridge.roomBytes()).toBe(-1);
    expect(sent).toEqual([
      ['f', '\0\u0001cxxx'],
      ['f', '\0\u0001d'],
    ]);
  });

  const strangers: readonly unknown[] = [
    undefined,
    null,
    7,
    'text',
    [120],
    { byteLength: 1, length: 1, 0: 120 },
    new Proxy(new Uint8Array(1), {}),
    new Uint16Array(1),
    new ArrayBuffer(1),
  ];
  test.each(strangers)('refuses %o where it takes bytes', (value) => {
    const { bridge, sent } = open();
    const bytes = value as Uint8Array;
    for (const call of [
      () => bridge.output(bytes),
      () => bridge.errors(bytes),
      () => bridge.file('a', bytes),
      () => bridge.decode('utf-8', bytes, false, false),
      () => bridge.encodeInto('a', bytes),
      () => bridge.contentsInto(bytes),
    ])
      expect(call).toThrow('may not have');
    expect(sent).toEqual([]);
  });

  test.each([undefined, null, -1, 1, 0.5, Number.NaN, '0', { valueOf: () => 0 }])(
    'refuses %o where it takes the place of a file',
    (value) => {
      expect(() => open().bridge.removed(value as number)).toThrow('may not have');
    },
  );

  test.each(['', 'snapshot', '../package.json', '/etc/passwd', 'pyodide.mjs', '__proto__'])(
    'gives no part of the interpreter by the name %j',
    (name) => {
      const { bridge } = open();
      expect(() => bridge.readText(name)).toThrow('may not have');
      expect(() => bridge.sizeOf(name)).toThrow('may not have');
      expect(() => bridge.readInto(name, new Uint8Array(1))).toThrow('may not have');
    },
  );

  test('gives so many random bytes and no more', () => {
    const { bridge } = open();
    expect(Buffer.from(bridge.randomBase64(65_536), 'base64').byteLength).toBe(65_536);
    for (const count of [65_537, -1, 2 ** 53]) expect(() => bridge.randomBase64(count)).toThrow('may not have');
  });
});
