import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { descriptors } from '../../test/python-attacks.ts';
import { findPythonHome } from '../python-home.ts';
import { frameForm } from './frame-reader.ts';
import { runPythonProcess, type ProcessEnd } from './python-process.ts';
import { createPythonSandbox } from './python-sandbox.ts';
import { limitsOf, settingsOf, setupOf } from './python-settings.ts';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tollgate-python-process-')));
const home = findPythonHome();
const settings = settingsOf({ filesMax: 4, filesBytesMax: 1000 });
/** What comes in one piece from the system; the bound may be passed within it. */
const chunkBytes = 65_536;

beforeAll(() => createPythonSandbox().prepare());
afterAll(() => rmSync(folder, { recursive: true }));

const run = (script: string, code = ''): Promise<ProcessEnd> =>
  runPythonProcess({
    script,
    setup: setupOf(settings, home, 'run'),
    limits: limitsOf(settings),
    launcher: [],
    input: { job: { code, files: [] }, files: [] },
  });

const keptBytes = ({ received: { output, errors, files } }: ProcessEnd): number =>
  [output, errors, ...files].reduce((sum, { byteLength }) => sum + byteLength, 0);

/** A child that has left all walls behind: it knows the token and writes what it likes, without end. */
const floodOf = (descriptor: number, once: string, forever: string): string => `
import { readSync, writeSync } from 'node:fs';
const token = Buffer.alloc(16);
readSync(0, token);
const frame = (kind, body, length = body.length) => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(length);
  return Buffer.concat([token, Buffer.from(kind), size, Buffer.from(body)]);
};
const many = (one) => Buffer.concat(Array.from({ length: Math.ceil(1_000_000 / one.length) }, () => one));
writeSync(${descriptor}, ${once});
const flood = ${forever};
for (;;) writeSync(${descriptor}, flood);
`;

const textFrames = settings.outputBytesMax;
describe('a child that floods its parent', () => {
  test.each([
    ['with empty frames', 1, `''`, `many(frame('o', ''))`, 0],
    ['with frames that it has no token for', 1, `''`, `many(Buffer.from('o\\0\\0\\0\\0'))`, 0],
    ['with text in the smallest frames', 1, `''`, `many(frame('o', 'x'))`, textFrames],
    ['with the smallest files', 1, `''`, `many(frame('f', 'x'))`, settings.filesMax],
    ['with ends', 1, `''`, `many(frame('d', 'x'))`, 1],
    ['after its end', 1, `frame('d', 'x')`, `many(frame('o', 'x'))`, 1],
    ['with a frame that never ends', 1, `frame('o', '', 2 ** 32 - 1)`, `Buffer.alloc(1_000_000)`, 0],
    ['where Node tells of failures', 2, `''`, `Buffer.alloc(1_000_000)`, 0],
  ])('%s is ended after a bounded number of frames', async (...[, descriptor, once, forever, framesMax]) => {
    const script = path.join(folder, 'flood.mjs');
    writeFileSync(script, floodOf(descriptor, once, forever));
    const end = await run(script);
    expect(end.kind).toBe('output');
    expect(end.received.framesHandled).toBeLessThanOrEqual(framesMax);
    expect(end.received.bytesHandled).toBeLessThanOrEqual((framesMax + 1) * (frameForm.headBytes + 1));
    expect(keptBytes(end)).toBeLessThanOrEqual(settings.outputBytesMax);
    expect(end.diagnosis.length).toBeLessThanOrEqual(4096);
  });
});

test('a program that writes millions of empty frames past the interpreter makes no work for its parent', async () => {
  const code = `${descriptors}
many = to_js((b'o' + bytes(4)) * 1_000_000)
sent = 0
for attempt in range(5_000):
    at = sent % 5_000_000
    try: sent += operations.write(stream(1), many, at, 5_000_000 - at, None)
    except BaseException: pass
    if sent > 30_000_000: break
print('sent', sent)
`;
  const end = await run(home.script, code);
  expect(Buffer.from(end.received.output).toString()).toBe('sent 0\n');
  expect(end.received.framesHandled).toBeLessThan(10);
  expect(end.received.bytesHandled).toBeLessThan(chunkBytes);
});

test.runIf(process.platform === 'linux')(
  'a program runs with no descriptor that the gateway has handed down',
  async () => {
    const [secret, notes] = [path.join(folder, 'secret.txt'), path.join(folder, 'open-files.txt')];
    writeFileSync(secret, 'the-secret-of-the-host');
    const launcher = [
      process.execPath,
      fileURLToPath(new URL('../../test/handing-launcher.ts', import.meta.url)),
      secret,
      notes,
    ];
    // More than the system takes at once: the program waits in the middle of its output until its launcher has looked.
    const outputBytesMax = 4_000_000;
    const sandbox = createPythonSandbox({ launcher, outputBytesMax });
    expect(await sandbox.run({ code: 'print("x" * 3_000_000)' })).toMatchObject({ kind: 'ended' });
    const openFiles = readFileSync(notes, 'utf8').split('\n');
    expect(openFiles.length).toBeGreaterThan(1);
    expect(openFiles.filter((line) => line.includes(' handed ') || line.includes('secret'))).toEqual([]);
  },
);
