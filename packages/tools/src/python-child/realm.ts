// The only code of ours in the realm of the interpreter, where a program can find and change every object, this module's too. It
// is evaluated there and knows the language and the bridge, nothing of Node. The bridge must not be reachable by a property: it
// is only held by functions, and what it throws is dropped, as that would be an object from outside.
import type { PyodideAPI, PyodideConfig } from 'pyodide';
import type { ChildJob, ChildSetup } from './child-setup.ts';
import type { RealmBridge } from './realm-bridge.ts';

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

type LoadPyodide = (config: PyodideConfig) => Promise<PyodideAPI>;
type CreateModule = NonNullable<PyodideConfig['createPyodideModule']>;

const workFolder = '/work';
/** A name for where the parts of the interpreter lie; the bridge knows them by what follows it. */
const partsFolder = '/interpreter/';
const depthMax = 32;

/** Also what every import at run time comes to. */
export const refuse = (): never => {
  throw new Error('This is not available to programs');
};

/** Each function of the bridge, so that nothing that it throws comes in. */
const shield = (bridge: RealmBridge): RealmBridge => {
  const entries = Object.entries(bridge).map(([name, inner]: readonly [string, (...values: unknown[]) => unknown]) => [
    name,
    (...values: unknown[]): unknown => {
      try {
        return inner(...values);
      } catch {
        return refuse();
      }
    },
  ]);
  // Every member of the bridge is a function and is there again.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(entries) as RealmBridge;
};

const partName = (path: string): string => (path.startsWith(partsFolder) ? path.slice(partsFolder.length) : path);

const readPart = (bridge: RealmBridge, name: string): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(bridge.sizeOf(name));
  bridge.readInto(name, bytes);
  return bytes;
};

const bytesOf = (data: ArrayBufferView | ArrayBufferLike | undefined): Uint8Array => {
  if (data === undefined) return new Uint8Array(0);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
};

/** Decoding and encoding, as far as the interpreter uses it. */
const textClasses = (bridge: RealmBridge) => ({
  TextDecoder: function TextDecoder(
    label = 'utf-8',
    options: { readonly ignoreBOM?: boolean; readonly fatal?: boolean } = {},
  ) {
    return {
      decode: (data?: ArrayBufferView | ArrayBufferLike): string =>
        bridge.decode(label, bytesOf(data), options.ignoreBOM === true, options.fatal === true),
    };
  },
  TextEncoder: function TextEncoder() {
    return {
      encode: (text: string): Uint8Array => {
        const bytes = new Uint8Array(bridge.encodedBytes(text));
        bridge.encodeInto(text, bytes);
        return bytes;
      },
      encodeInto: (text: string, target: Uint8Array) => ({ written: bridge.encodeInto(text, target) }),
    };
  },
});

/** The interpreter asks a shell for randomness, by a command that begins like this. */
const randomCommand = /^head -c(\d{1,5}) /u;

/** Makes the realm look like a shell of JavaScript, the simplest of the places where the interpreter knows how to start. */
const furnish = (bridge: RealmBridge): void => {
  const silent = { log: () => undefined, warn: () => undefined, error: () => undefined };
  const globals = {
    ...textClasses(bridge),
    console: silent,
    performance: { now: () => bridge.nowMs() },
    read: (path: string) => bridge.readText(partName(path)),
    readbuffer: (path: string) => readPart(bridge, partName(path)).buffer,
    load: refuse,
    setTimeout: (run: () => void) => {
      void Promise.resolve().then(run);
    },
    clearTimeout: () => undefined,
    os: {
      system: (_: string, [, command = '']: readonly string[]) =>
        bridge.randomBase64(Number(randomCommand.exec(command)?.[1] ?? refuse())),
    },
  };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
};

const start = (
  bridge: RealmBridge,
  setup: ChildSetup,
  loaders: readonly [LoadPyodide, CreateModule],
): Promise<PyodideAPI> => {
  const [loadPyodide, createPyodideModule] = loaders;
  const noGlobals: object = { __proto__: null };
  const config = {
    createPyodideModule,
    indexURL: partsFolder,
    jsglobals: noGlobals,
    stdin: () => null,
    stdout: () => undefined,
    stderr: () => undefined,
    env: { HOME: workFolder, PYTHONHASHSEED: '0', LANG: 'C.UTF-8', TZ: 'UTC' },
    ...(setup.purpose === 'snapshot' && { _makeSnapshot: true }),
    ...(setup.snapshot !== null && { _loadSnapshot: readPart(bridge, 'snapshot') }),
  };
  return loadPyodide(config);
};

/**
 * Takes away what makes the engine call functions of Node's from here, which would let out an object of theirs where the stack ends
 * within one: with no number for its limit no stack is ever put into words.
 */
const close = (): void => {
  Object.defineProperty(Error, 'stackTraceLimit', { value: undefined, writable: false, configurable: false });
  Object.freeze(Error);
  const webAssembly: unknown = Reflect.get(globalThis, 'WebAssembly');
  if (typeof webAssembly !== 'object' || webAssembly === null) return;
  for (const name of ['compileStreaming', 'instantiateStreaming']) Reflect.deleteProperty(webAssembly, name);
};

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

const putFiles = (bridge: RealmBridge, fs: FileSystem, job: ChildJob): ReadonlyMap<string, Uint8Array> => {
  const contents = new Uint8Array(bridge.contentsBytes());
  bridge.contentsInto(contents);
  const known = new Map<string, Uint8Array>();
  let at = 0;
  for (const { path, sizeBytes } of job.files) {
    const content = contents.subarray(at, at + sizeBytes);
    fs.mkdirTree(parentOf(`${workFolder}/${path}`));
    fs.writeFile(`${workFolder}/${path}`, content.slice());
    known.set(path, content);
    at += sizeBytes;
  }
  return known;
};

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

const isSame = (left: Uint8Array, right: Uint8Array): boolean => left.every((byte, index) => byte === right[index]);

/** Sends what is new or changed, and says what is gone. */
const sendFiles = (bridge: RealmBridge, fs: FileSystem, known: ReadonlyMap<string, Uint8Array>): void => {
  const paths = listFiles(fs, workFolder, 0);
  for (const path of paths) {
    const name = path.slice(workFolder.length + 1);
    const { size } = fs.lstat(path);
    const before = known.get(name);
    if (before?.byteLength === size && isSame(before, fs.readFile(path))) continue;
    if (size > bridge.roomBytes()) bridge.leftOut();
    else bridge.file(name, fs.readFile(path));
  }
  const present = new Set(paths.map((path) => path.slice(workFolder.length + 1)));
  for (const [index, name] of Array.from(known.keys()).entries()) if (!present.has(name)) bridge.removed(index);
};

const runJob = (bridge: RealmBridge, python: PyodideAPI, setup: ChildSetup): void => {
  // The parent writes it in this form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const job = JSON.parse(bridge.jobText()) as ChildJob;
  // Emscripten's file system is untyped; these functions of it are documented.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const fs = python.FS as unknown as FileSystem;
  fs.mkdirTree(workFolder);
  const known = putFiles(bridge, fs, job);
  fs.writeFile('/main.py', job.code);
  python.setStdin({ error: false, stdin: () => null });
  python.setStdout({
    write: (bytes) => {
      const size = bytes.byteLength;
      // If that can still make it stop, a program that writes on gets errors.
      if (!bridge.output(bytes)) throw new Error('The output is too long');
      return size;
    },
  });
  python.setStderr({
    write: (bytes) => {
      const size = bytes.byteLength;
      bridge.errors(bytes);
      return size;
    },
  });
  python.runPython(`import os; os.chdir('${workFolder}')`);
  for (const name of ['js', 'pyodide_js']) python.unregisterJsModule(name);
  python.runPython(setup.prologue);
  close();
  bridge.lock();
  const ended: unknown = python.runPython(setup.runProgram);
  sendFiles(bridge, fs, known);
  bridge.end(ended === true);
};

/** Makes the realm a place where the modules of the interpreter can be evaluated. Returns what then runs them, to the end of the process. */
export const prepare = (outer: RealmBridge, setupText: string) => {
  const bridge = shield(outer);
  furnish(bridge);
  // The parent wrote the setup.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const setup = JSON.parse(setupText) as ChildSetup;
  return async (loadPyodide: LoadPyodide, createPyodideModule: CreateModule): Promise<void> => {
    try {
      const python = await start(bridge, setup, [loadPyodide, createPyodideModule]);
      if (setup.purpose === 'snapshot') bridge.snapshot(python.makeMemorySnapshot());
      else runJob(bridge, python, setup);
    } catch (cause) {
      // No stack is put into words once a program could run.
      bridge.fail(String(cause instanceof Error ? (cause.stack ?? cause.message) : cause));
    }
  };
};
