// The process in which programs of strangers run. It is started with the permission model on, an empty environment and a cap
// on memory; what follows takes away what these leave. It imports nothing of ours, since it may read nothing of ours.
import dgram from 'node:dgram';
import dns from 'node:dns';
import { constants, readFileSync, readSync, writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import net from 'node:net';
import type { PyodideAPI, PyodideConfig } from 'pyodide';

/** What the process is started with, as JSON in its first argument. */
export interface ChildSetup {
  /** The folder of the interpreter, with a slash at the end. */
  readonly folder: string;
  /** The memory of an interpreter that has been started already; without it that memory is made and sent. */
  readonly snapshot: string | null;
  readonly purpose: 'run' | 'snapshot';
  /** Python that prepares the interpreter, and Python that runs the program and answers whether it came to its end. */
  readonly prologue: string;
  readonly runProgram: string;
  readonly outputBytesMax: number;
  readonly errorBytesMax: number;
  readonly filesMax: number;
  readonly filesBytesMax: number;
}

/** What comes in: the length of this as JSON, this, and the bytes of the files one after the other. */
export interface ChildJob {
  readonly code: string;
  readonly files: readonly { readonly path: string; readonly sizeBytes: number }[];
}

/** What goes out: frames of a letter, a length and that many bytes. */
export type FrameKind = 'o' | 'e' | 'f' | 'd' | 's';

/** The parts of Emscripten's file system that are used. */
interface FileSystem {
  readonly readdir: (path: string) => string[];
  readonly lstat: (path: string) => { readonly mode: number; readonly size: number };
  readonly isDir: (mode: number) => boolean;
  readonly isFile: (mode: number) => boolean;
  readonly readFile: (path: string) => Uint8Array;
  readonly writeFile: (path: string, data: Uint8Array | string) => void;
  readonly mkdirTree: (path: string) => void;
}

const workFolder = '/work';
const chunkBytes = 65_536;
const depthMax = 32;

/** Globals of the language itself, and the few others that the interpreter calls while it runs. */
const keptGlobals = new Set(
  `AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date
  DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array
  Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set
  SharedArrayBuffer String SuppressedError Symbol SyntaxError TextDecoder TextEncoder TypeError URIError Uint16Array
  Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt performance undefined unescape`.split(
    /\s+/u,
  ),
);

const refuse = (): never => {
  throw new Error('This is not available to programs');
};

const refuseAll = (owner: object): void => {
  for (const key of Reflect.ownKeys(owner)) {
    const property = Reflect.getOwnPropertyDescriptor(owner, key);
    if (key === 'constructor' || typeof property?.value !== 'function') continue;
    if (property.configurable !== true && property.writable !== true) continue;
    Reflect.defineProperty(owner, key, { value: refuse, writable: false, configurable: false });
  }
};

/** Ends the process at once; taken while there is still a process to take it from. */
const exit = ((): ((code: number) => never) => {
  // Node's own way out, which `process.exit` calls.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { reallyExit } = process as unknown as { readonly reallyExit: (code: number) => never };
  return reallyExit.bind(process);
})();

const pauseMs = 1;
const pauseCell = new Int32Array(new SharedArrayBuffer(4));

/** Pipes do not block: what cannot go on now is tried again in a moment. Answers how many bytes went. */
const patiently = (move: () => number): number => {
  for (;;) {
    try {
      return move();
    } catch (cause) {
      if (!(cause instanceof Error) || !('code' in cause) || cause.code !== 'EAGAIN') throw cause;
      Atomics.wait(pauseCell, 0, 0, pauseMs);
    }
  }
};

const send = (kind: FrameKind, bytes: Uint8Array): void => {
  const head = new Uint8Array(5);
  head[0] = kind.charCodeAt(0);
  new DataView(head.buffer).setUint32(1, bytes.byteLength);
  for (const part of [head, bytes])
    for (let sent = 0; sent < part.byteLength;)
      sent += patiently(() => writeSync(1, part, sent, part.byteLength - sent));
};

const encoder = new TextEncoder();
const sendJson = (kind: FrameKind, value: unknown): void => send(kind, encoder.encode(JSON.stringify(value)));

/** Reads what the parent sends, to its end; the parent decides how much that is. */
const readInput = (): Uint8Array => {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const chunk = new Uint8Array(chunkBytes);
    const size = patiently(() => readSync(0, chunk));
    if (size === 0) break;
    chunks.push(chunk.subarray(0, size));
  }
  return Uint8Array.from(Buffer.concat(chunks));
};

/** The interpreter asks for constants by a function that the permission model takes away; it gets these and no others. */
const binding = (name: string): unknown => {
  if (name !== 'constants') throw new Error('Only constants are bound');
  return { os: {}, fs: constants, crypto: {}, zlib: {} };
};

const shimBinding = (): void => {
  Reflect.defineProperty(process, 'binding', { value: binding, writable: true, configurable: true });
};

const load = async ({ folder, snapshot, purpose }: ChildSetup): Promise<PyodideAPI> => {
  shimBinding();
  const noGlobals: object = { __proto__: null };
  // The module is the interpreter's own entry, found by the parent.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { loadPyodide } = (await import(`file://${folder}pyodide.mjs`)) as {
    readonly loadPyodide: (config: PyodideConfig) => Promise<PyodideAPI>;
  };
  return loadPyodide({
    indexURL: folder,
    jsglobals: noGlobals,
    env: { HOME: workFolder, PYTHONHASHSEED: '0', LANG: 'C.UTF-8', TZ: 'UTC' },
    ...(purpose === 'snapshot' && { _makeSnapshot: true }),
    ...(snapshot !== null && { _loadSnapshot: Uint8Array.from(readFileSync(snapshot)) }),
  });
};

/** The interpreter tells its console when it is beyond help. */
const silentConsole = { log: () => undefined, warn: () => undefined, error: () => undefined };

/** Takes the network, other programs, loading of code and the process itself away from whatever still holds a way to them. */
const lock = (): void => {
  refuseAll(net.Socket.prototype);
  refuseAll(net.Server.prototype);
  refuseAll(dgram.Socket.prototype);
  refuseAll(dns.Resolver.prototype);
  refuseAll(dns.promises);
  for (const owner of [net, dgram, dns]) refuseAll(owner);
  registerHooks({ resolve: refuse, load: refuse });
  refuseAll(process);
  refuseAll(Reflect.getPrototypeOf(process) ?? {});
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (keptGlobals.has(name)) continue;
    // Deleted first: to define one anew would load what it stands for.
    Reflect.deleteProperty(globalThis, name);
    const value = name === 'console' ? silentConsole : undefined;
    Reflect.defineProperty(globalThis, name, { value, writable: false, configurable: false });
  }
};

/** Passes text on up to a cap; then a program that writes on gets errors, if that can still make it stop. */
const createSink = (kind: FrameKind, bytesMax: number, isStrict: boolean) => {
  let left = bytesMax;
  let fitted = true;
  const write = (bytes: Uint8Array): number => {
    if (isStrict && !fitted) throw new Error('The output is too long');
    const part = bytes.subarray(0, Math.min(left, bytes.byteLength));
    if (part.byteLength > 0) send(kind, part);
    left -= part.byteLength;
    fitted &&= part.byteLength === bytes.byteLength;
    return bytes.byteLength;
  };
  return { write, hasFitted: () => fitted };
};

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

const putFiles = (fs: FileSystem, job: ChildJob, bytes: Uint8Array): ReadonlyMap<string, Uint8Array> => {
  const known = new Map<string, Uint8Array>();
  let at = 0;
  for (const { path, sizeBytes } of job.files) {
    const content = bytes.subarray(at, at + sizeBytes);
    fs.mkdirTree(parentOf(`${workFolder}/${path}`));
    fs.writeFile(`${workFolder}/${path}`, content.slice());
    known.set(path, content);
    at += sizeBytes;
  }
  return known;
};

const isSame = (left: Uint8Array | undefined, right: Uint8Array): boolean =>
  left !== undefined && left.byteLength === right.byteLength && left.every((byte, index) => byte === right[index]);

/** Every plain file below the folder; links are left out, as they could lead anywhere. */
const listFiles = (fs: FileSystem, folder: string, depth: number): readonly string[] => {
  if (depth > depthMax) return [];
  return fs.readdir(folder).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (name === '.' || name === '..' || name === '__pycache__') return [];
    const { mode } = fs.lstat(path);
    if (fs.isDir(mode)) return listFiles(fs, path, depth + 1);
    return fs.isFile(mode) ? [path] : [];
  });
};

/** Sends what is new or changed, and says what is gone. Answers whether everything fitted. */
const sendFiles = (fs: FileSystem, known: ReadonlyMap<string, Uint8Array>, setup: ChildSetup) => {
  const paths = listFiles(fs, workFolder, 0);
  let left = setup.filesBytesMax;
  let sent = 0;
  let fitted = true;
  for (const path of paths) {
    const name = path.slice(workFolder.length + 1);
    const { size } = fs.lstat(path);
    if (size > left || sent >= setup.filesMax) {
      fitted = false;
      continue;
    }
    const bytes = fs.readFile(path);
    if (isSame(known.get(name), bytes)) continue;
    left -= size;
    sent += 1;
    sendJson('f', { path: name, sizeBytes: bytes.byteLength });
    send('f', bytes);
  }
  const present = new Set(paths.map((path) => path.slice(workFolder.length + 1)));
  return { filesFitted: fitted, removed: Array.from(known.keys()).filter((name) => !present.has(name)) };
};

const runJob = (python: PyodideAPI, setup: ChildSetup, input: Uint8Array): void => {
  const headBytes = new DataView(input.buffer).getUint32(0);
  // The parent writes it in this form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const job = JSON.parse(new TextDecoder().decode(input.subarray(4, 4 + headBytes))) as ChildJob;
  // Emscripten's file system is untyped; these functions of it are documented.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const fs = python.FS as unknown as FileSystem;
  fs.mkdirTree(workFolder);
  const known = putFiles(fs, job, input.subarray(4 + headBytes));
  fs.writeFile('/main.py', job.code);
  python.setStdin({ error: false, stdin: () => null });
  const output = createSink('o', setup.outputBytesMax, true);
  python.setStdout(output);
  python.setStderr(createSink('e', setup.errorBytesMax, false));
  python.runPython(`import os; os.chdir('${workFolder}')`);
  for (const name of ['js', 'pyodide_js']) python.unregisterJsModule(name);
  python.runPython(setup.prologue);
  lock();
  const ended: unknown = python.runPython(setup.runProgram);
  sendJson('d', { ended: ended === true, outputFitted: output.hasFitted(), ...sendFiles(fs, known, setup) });
};

// The parent wrote the setup.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const setup = JSON.parse(process.argv[2] ?? '') as ChildSetup;
// The interpreter tells programs what it was started as, and they have no business with where things lie on the host.
process.argv.splice(1, process.argv.length, 'python');
const python = await load(setup);
if (setup.purpose === 'snapshot') send('s', python.makeMemorySnapshot());
else {
  try {
    runJob(python, setup, readInput());
  } catch (cause) {
    // Nothing of Node's own that would tell of it is left.
    writeSync(2, String(cause instanceof Error ? cause.stack : cause));
    exit(1);
  }
}
exit(0);
