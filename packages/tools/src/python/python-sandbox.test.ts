import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPythonSandbox, type PythonOutcome } from './python-sandbox.ts';
import type { WorkFile } from './work-file.ts';

const cacheFolder = mkdtempSync(path.join(tmpdir(), 'tollgate-python-test-'));
const secretFile = path.join(cacheFolder, 'secret.txt');
const secret = 'the-secret-of-the-host';
const sandbox = createPythonSandbox({ cacheFolder, processesMax: 2 });
const impatient = createPythonSandbox({ cacheFolder, processesMax: 2, runMs: 3_000 });

let accepted = 0;
const tcp = createServer((socket) => {
  accepted += 1;
  socket.destroy();
});
let port = 0;

beforeAll(async () => {
  writeFileSync(secretFile, secret);
  process.env['TOLLGATE_TEST_SECRET'] = secret;
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  // A server that listens on a port has an address of this form.
  ({ port } = tcp.address() as AddressInfo);
  await sandbox.prepare();
}, 60_000);
afterAll(() => {
  tcp.close();
  delete process.env['TOLLGATE_TEST_SECRET'];
  rmSync(cacheFolder, { recursive: true });
});

const file = (name: string, text: string): WorkFile => ({ path: name, bytes: Buffer.from(text) });
const texts = (files: readonly WorkFile[]): Readonly<Record<string, string>> =>
  Object.fromEntries(files.map(({ path: name, bytes }) => [name, Buffer.from(bytes).toString()]));

describe('a program', () => {
  test('prints, computes and ends', async () => {
    const code = 'import json, statistics\nprint(json.dumps({"mean": statistics.mean([1, 2, 6])}))';
    expect(await sandbox.run({ code })).toEqual({
      kind: 'ended',
      output: '{"mean": 3}\n',
      written: [],
      removed: [],
      outputFitted: true,
      filesFitted: true,
    });
  });

  test('runs as a script does, with its own name and its own functions', async () => {
    const code = 'def f(n): return 1 if n < 2 else n * f(n - 1)\nif __name__ == "__main__": print(f(20))';
    expect(await sandbox.run({ code })).toMatchObject({ kind: 'ended', output: '2432902008176640000\n' });
  });

  test('is told where it failed', async () => {
    const { kind, output } = await sandbox.run({ code: 'print("begun")\ndef f():\n    return 1 / 0\nf()' });
    expect(kind).toBe('failed');
    expect(output).toContain('begun\n');
    expect(output).toContain('File "main.py", line 3, in f\n    return 1 / 0');
    expect(output).toContain('ZeroDivisionError: division by zero');
    expect(output).not.toContain('pyodide');
  });

  test.each([
    ['x = (', 'SyntaxError'],
    ['input()', 'EOFError'],
    ['import sys; sys.exit("enough")', 'enough'],
    ['import numpy', 'ModuleNotFoundError'],
    ['\ud800', 'SyntaxError'],
  ])('fails by %j', async (code, word) => {
    expect(await sandbox.run({ code })).toMatchObject({ kind: 'failed', output: expect.stringContaining(word) });
  });

  test('ends well by leaving without a fault', async () => {
    expect(await sandbox.run({ code: 'import sys; print(1); sys.exit(0)' })).toMatchObject({
      kind: 'ended',
      output: '1\n',
    });
  });

  test('may wait for several things at once', async () => {
    const code = `
import asyncio
async def one(n):
    await asyncio.sleep(0.01 * n)
    return n
async def main():
    print(sum(await asyncio.gather(*[one(n) for n in range(5)])))
asyncio.run(main())`;
    expect(await sandbox.run({ code })).toMatchObject({ kind: 'ended', output: '10\n' });
  });

  test('reads, changes, makes and removes files, and only those come back', async () => {
    const code = `
import os, pathlib
print(open("data/in.csv").read(), sorted(os.listdir()))
open("kept.txt").read()
open("changed.txt", "a").write(" and more")
pathlib.Path("made/deep").mkdir(parents=True)
open("made/deep/new.bin", "wb").write(bytes([0, 255]))
os.remove("gone.txt")
os.symlink("/etc", "link")`;
    const files = [
      file('data/in.csv', 'a,b'),
      file('kept.txt', 'as it was'),
      file('changed.txt', 'some'),
      file('gone.txt', ''),
    ];
    const outcome = await sandbox.run({ code, files });
    expect(outcome.output).toBe("a,b ['changed.txt', 'data', 'gone.txt', 'kept.txt']\n");
    expect(outcome.written.map(({ path: name, bytes }) => [name, Buffer.from(bytes).toString('hex')])).toEqual([
      ['changed.txt', Buffer.from('some and more').toString('hex')],
      ['made/deep/new.bin', '00ff'],
    ]);
    expect(outcome.removed).toEqual(['gone.txt']);
  });

  test('imports modules from its folder', async () => {
    const files = [file('tool.py', 'answer = 42')];
    expect(await sandbox.run({ code: 'import tool; print(tool.answer)', files })).toMatchObject({
      output: '42\n',
      written: [],
    });
  });

  test('keeps what fits of too much output, and is told that it is too much', async () => {
    const outcome = await sandbox.run({ code: 'for n in range(100): print("x" * 1_000)' });
    expect(outcome).toMatchObject({ kind: 'failed', outputFitted: false });
    expect(outcome.output.length).toBeLessThan(90_000);
    expect(outcome.output).toContain('x'.repeat(1_000));
  });

  test('keeps the files that fit of too many or too large ones', async () => {
    const small = createPythonSandbox({ cacheFolder, filesMax: 2, filesBytesMax: 1_000 });
    const many = await small.run({ code: 'for n in range(9): open(f"{n}.txt", "w").write("a")' });
    expect(many).toMatchObject({ kind: 'ended', filesFitted: false });
    expect(texts(many.written)).toEqual({ '0.txt': 'a', '1.txt': 'a' });
    const large = await small.run({ code: 'open("a", "w").write("a" * 2_000); open("b", "w").write("b")' });
    expect(large).toMatchObject({ filesFitted: false });
    expect(texts(large.written)).toEqual({ b: 'b' });
    expect(await small.run({ code: '', files: [file('a', 'x'.repeat(1_001))] })).toMatchObject({ kind: 'files' });
  });

  test.each(['../a', '/a', 'a//b', 'a/../b', '.', '', 'a\\b', 'a\0'])(
    'is not begun with a file called %j',
    async (name) => {
      expect(await sandbox.run({ code: '', files: [file(name, '')] })).toMatchObject({ kind: 'files' });
    },
  );

  test('is ended when whoever asked for it gives up', async () => {
    const controller = new AbortController();
    const running = sandbox.run({ code: 'while True: pass', signal: controller.signal });
    controller.abort();
    expect(await running).toMatchObject({ kind: 'aborted' });
  });

  test('waits for its turn, in bounded number', async () => {
    const narrow = createPythonSandbox({ cacheFolder, processesMax: 1, waitingMax: 1 });
    const outcomes = await Promise.all(['1', '2', '3'].map((text) => narrow.run({ code: `print(${text})` })));
    expect(outcomes.map(({ kind, output }) => [kind, output])).toEqual([
      ['ended', '1\n'],
      ['ended', '2\n'],
      ['busy', ''],
    ]);
  });

  test('is started behind walls of the host, where it has some', async () => {
    const wall = path.join(cacheFolder, 'wall.txt');
    const walled = createPythonSandbox({
      cacheFolder,
      launcher: ['/bin/sh', '-c', `echo up > ${wall}; exec "$@"`, 'wall'],
    });
    expect(await walled.run({ code: 'print(1)' })).toMatchObject({ kind: 'ended', output: '1\n' });
    expect(existsSync(wall)).toBe(true);
  });
});

test('keeps the memory of a started interpreter once, and not where others may write', async () => {
  expect(readdirSync(cacheFolder).filter((name) => name.endsWith('.snapshot'))).toHaveLength(1);
  expect(readdirSync(cacheFolder).filter((name) => name.includes('.snapshot.'))).toEqual([]);
  await expect(createPythonSandbox({ cacheFolder: tmpdir() }).prepare()).rejects.toThrow('can be written by others');
});

/** Ways into JavaScript that a program can find: everything of it that the interpreter itself still holds. */
const finding = `
import gc
def proxies():
    found = []
    for thing in gc.get_objects():
        for other in (thing, *gc.get_referents(thing)):
            if 'pyodide.ffi.Js' in str(type(other)) and not any(other is known for known in found):
                found.append(other)
    return found
api = next(proxy for proxy in proxies() if hasattr(proxy, 'mountNodeFS'))
function = api.runPython.constructor
`;
const stealing = (expression: string): string => `${finding}\nprint('BREACH', ${expression})`;

/** What each tries, the program, and how it must end; \`BREACH\` in the output is what must never be. */
const hostile: readonly (readonly [string, (place: { readonly port: number }) => string])[] = [
  // Files of the host.
  ['reads the accounts', () => 'print("BREACH" if "root:" in open("/etc/passwd").read() else "")'],
  ['reads the secret by its path', () => `print("BREACH", open(${JSON.stringify(secretFile)}).read())`],
  ['climbs out of its folder', () => `print("BREACH", open("../../../../../..${secretFile}").read())`],
  ['reads its own process', () => 'print("BREACH", open("/proc/self/environ").read())'],
  ['reads a disk', () => 'print("BREACH", open("/dev/sda", "rb").read(1))'],
  [
    'links to a file of the host',
    () => `import os\nos.symlink(${JSON.stringify(secretFile)}, "l")\nprint("BREACH", open("l").read())`,
  ],
  ['mounts the host', () => stealing(`api.mountNodeFS('/host', '/etc') or __import__('os').listdir('/host')`)],
  [
    'mounts the host by hand',
    () => `${finding}
fs = api._module.FS
api.FS.mkdirTree('/host')
fs.mount(fs.filesystems.NODEFS, api.toPy and __import__('_pyodide_core').to_js({'root': '/etc'}), '/host')
import os
print('BREACH', os.listdir('/host'))`,
  ],
  [
    'reads through the loader of the interpreter',
    () =>
      stealing(`api._module.FS.filesystems.NODEFS.stream_ops.open(api.FS.open(${JSON.stringify(secretFile)}, 'r'))`),
  ],
  ['reads through the archive reader', () => stealing(`api.unpackArchive(${JSON.stringify(secretFile)}, 'zip')`)],
  [
    'writes a file of the host',
    () =>
      stealing(`api.mountNodeFS('/host', ${JSON.stringify(cacheFolder)}) or open('/host/written.txt', 'w').write('x')`),
  ],
  // Variables and the process.
  [
    'reads variables',
    () =>
      'import os\nprint("BREACH" if "TOLLGATE_TEST_SECRET" in os.environ or "HOME=/root" in str(os.environ) else "")',
  ],
  [
    'learns where the gateway lies',
    () =>
      'import os, sys\nprint("BREACH" if "python-child" in f"{dict(os.environ)} {sys.executable} {sys.orig_argv} {sys.argv}" else "")',
  ],
  ['reaches the process by JavaScript', () => stealing('__import__("js").process.env')],
  ['reaches the process by a global', () => stealing('api._api.globalThis.process.env')],
  ['compiles JavaScript by its constructor', () => stealing('function("return process")()')],
  [
    'compiles JavaScript by the constructor of asynchronous functions',
    () => stealing('api.runPythonAsync.constructor("return process")()'),
  ],
  [
    'compiles JavaScript from a property',
    () => stealing('api.constructor.constructor("return globalThis")().process.pid'),
  ],
  ['evaluates JavaScript', () => 'from pyodide.code import run_js\nprint("BREACH", run_js("process.pid"))'],
  [
    'evaluates JavaScript from C',
    () => 'import ctypes\nctypes.CDLL(None).emscripten_run_script(b"globalThis.x = 1")\nprint("BREACH")',
  ],
  [
    'spoils the prototype of everything',
    () => `${finding}
api.constructor.prototype.toJSON = print
api.constructor.prototype.path = '../../evil'
print('done')`,
  ],
  [
    'replaces the callbacks of errors',
    () => `${finding}
from _pyodide_core import create_proxy
try:
    function('1')
except BaseException as refusal:
    error = api.constructor.getPrototypeOf(refusal.js_error.constructor)
def steal(e, frames):
    for frame in frames:
        this = frame.getThis()
        if hasattr(this, 'process'): print('BREACH', this.process)
error.prepareStackTrace = create_proxy(steal)
error.new().stack`,
  ],
  // The network.
  [
    'opens a socket',
    (place) =>
      `import socket\ns = socket.create_connection(("127.0.0.1", ${place.port}), 2)\ns.sendall(b"x")\nprint(s.recv(1))`,
  ],
  [
    'asks for a page',
    (place) =>
      `import urllib.request\nprint("BREACH", urllib.request.urlopen("http://127.0.0.1:${place.port}/", timeout=2).status)`,
  ],
  [
    'asks a name server',
    () =>
      'import socket\na = socket.gethostbyname("example.com")\nprint("BREACH" if not a.startswith("172.29.") else "")',
  ],
  [
    'sends a datagram',
    (place) =>
      `import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.sendto(b"x", ("127.0.0.1", ${place.port}))`,
  ],
  [
    'listens',
    () =>
      'import socket\ns = socket.socket()\ns.bind(("127.0.0.1", 0))\ns.listen()\nprint("BREACH", s.getsockname()) if s.getsockname()[1] else print()',
  ],
  [
    'turns on real sockets',
    (place) => `${finding}
import asyncio, socket
asyncio.set_event_loop(asyncio.new_event_loop())
api.useNodeSockFS()
s = socket.create_connection(("127.0.0.1", ${place.port}), 2)
s.sendall(b"x")
print('BREACH')`,
  ],
  [
    'fetches by the library of the interpreter',
    (place) =>
      `import asyncio\nfrom pyodide.http import pyfetch\nprint("BREACH", asyncio.run(pyfetch("http://127.0.0.1:${place.port}/")))`,
  ],
  [
    'loads a package from an address',
    (place) =>
      `${finding}\nimport asyncio, time\nasyncio.set_event_loop(asyncio.new_event_loop())\napi.loadPackage("http://127.0.0.1:${place.port}/evil-1.0-py3-none-any.whl")\ntime.sleep(0.5)`,
  ],
  ['opens a web socket', (place) => stealing(`api._api.WebSocket.new("ws://127.0.0.1:${place.port}/")`)],
  // Other processes.
  ['forks', () => 'import os\nprint("BREACH", os.fork())'],
  [
    'starts a shell',
    () => 'import subprocess\nprint("BREACH", subprocess.run(["/bin/sh", "-c", "id"], capture_output=True))',
  ],
  ['starts a command', () => 'import os\nprint("BREACH" if os.system("touch /tmp/x") == 0 else "")'],
  ['replaces itself', () => 'import os\nos.execv("/bin/sh", ["sh"])\nprint("BREACH")'],
  ['kills its parent', () => 'import os\nos.kill(os.getppid(), 9)\nprint("sent")'],
  ['starts threads', () => 'import threading\nt = threading.Thread(target=print, args=("BREACH",))\nt.start()'],
  [
    'starts processes',
    () => 'import multiprocessing\np = multiprocessing.Process(target=print)\np.start()\nprint("BREACH")',
  ],
  ['loads a library', () => 'import ctypes\nctypes.CDLL("libc.so.6")\nprint("BREACH")'],
  // Its own walls.
  ['writes to wild addresses', () => 'import ctypes\nctypes.memset(0, 255, 2**26)\nprint("done")'],
  ['calls a wild address', () => 'import ctypes\nctypes.CFUNCTYPE(None)(123456789)()'],
  ['breaks the interpreter', () => 'from _pyodide_core import trigger_fatal_error\ntrigger_fatal_error()'],
  ['recurses without end in C', () => 'a = None\nfor _ in range(10_000_000): a = [a]\ndel a\nprint(repr)'],
  ['recurses without end', () => 'import sys\nsys.setrecursionlimit(10**9)\ndef f(): f()\nf()'],
  [
    'takes back what runs it',
    () =>
      'import builtins, sys\nbuiltins.exec = builtins.compile = builtins.print = None\nsys.stdout = None\nsys.exit = None',
  ],
  ['forges the end', () => 'import os\nos.write(1, b"d\\x00\\x00\\x00\\x02{}")\nos.write(2, b"d\\xff\\xff\\xff\\xff")'],
  [
    'closes what it is heard by',
    () => 'import os\nfor n in range(64):\n    try: os.close(n)\n    except OSError: pass',
  ],
  [
    'returns a file from outside',
    () => `${finding}
from _pyodide_core import create_proxy, to_js
api.FS.readdir = create_proxy(lambda path: to_js(['../../../../../tmp/evil.txt']))
print('done')`,
  ],
];

/** Those that never end by themselves. */
const endless: readonly (readonly [string, string, string])[] = [
  ['loops', 'while True: pass', 'time'],
  [
    'loops and catches everything',
    'while True:\n    try:\n        while True: pass\n    except BaseException: pass',
    'time',
  ],
  ['sleeps', 'import time\ntime.sleep(1_000)', 'time'],
  ['multiplies without end', 'x = 7 ** (10 ** 8)', 'time'],
  ['matches without end', 'import re\nre.match("(a+)+b", "a" * 60)', 'time'],
  ['prints without end', 'while True:\n    try: print("x" * 1_000)\n    except BaseException: pass', 'time'],
  [
    'fills the memory of files',
    'n = 0\nwhile True:\n    n += 1\n    open(f"/tmp/{n}", "wb").write(b"x" * 50_000_000)',
    'memory',
  ],
  [
    'fills memory outside of Python',
    'from _pyodide_core import to_js\nb = b"x" * 50_000_000\nkept = []\nwhile True: kept.append(to_js(b))',
    'memory',
  ],
];

/** A line of its own tells of a breach; that a traceback quotes the program's text does not. */
const isHarmless = ({ output, written }: PythonOutcome): boolean =>
  !/^BREACH/mu.test(output) && !output.includes(secret) && written.every(({ path: name }) => !name.includes('..'));

describe.concurrent('a hostile program that', { timeout: 120_000 }, () => {
  test.each(hostile)('%s gets nothing', async (_, program) => {
    const outcome = await sandbox.run({ code: program({ port }) });
    expect(outcome).toSatisfy(isHarmless);
  });

  test.each(endless)('%s is killed', async (_, code, kind) => {
    const outcome = await (kind === 'time' ? impatient : sandbox).run({ code });
    expect(outcome.kind).toBe(kind);
    expect(outcome).toSatisfy(isHarmless);
  });

  test('allocates too much is told so', async () => {
    const outcome = await sandbox.run({ code: 'x = []\nwhile True: x.append(bytearray(10_000_000))' });
    expect(outcome).toMatchObject({ kind: 'failed', output: expect.stringContaining('MemoryError') });
  });
});

test('leaves the host as it was after all of them', async () => {
  expect(hostile.length + endless.length).toBeGreaterThanOrEqual(50);
  expect(accepted).toBe(0);
  expect(
    readdirSync(cacheFolder)
      .toSorted()
      .filter((name) => !name.endsWith('.snapshot')),
  ).toEqual(['secret.txt', 'wall.txt']);
  expect(existsSync('/tmp/evil.txt')).toBe(false);
  expect(await sandbox.run({ code: 'print("well")' })).toMatchObject({ kind: 'ended', output: 'well\n' });
});
