import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { types } from 'node:util';
import type { ChildSetup, FrameForm, FrameLimits } from './child-setup.ts';
import type { FrameWriter } from './frame-writer.ts';
import { lock } from './lock.ts';
import type { ChildInput } from './read-input.ts';
import type { RealmBridge } from './realm-bridge.ts';

const form: Omit<FrameForm, 'tokenBytes' | 'headBytes'> = {
  pathLengthBytes: 2,
  indexBytes: 4,
  endedFlag: 1,
  outputFittedFlag: 2,
  filesFittedFlag: 4,
};
const diagnosisCharsMax = 4096;
const randomBytesMax = 65_536;

const refuse = (): never => {
  throw new Error('The interpreter asked for what it may not have');
};

/** Ends the process at once; taken while there is still a process to take it from. */
const exit = ((): ((code: number) => never) => {
  // Node's own way out, which `process.exit` calls.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { reallyExit } = process as unknown as { readonly reallyExit: (code: number) => never };
  return reallyExit.bind(process);
})();

/** A copy of ours. What the engine knows of a byte array is asked, none of its properties, which a program can change. */
const copyOf = (bytes: unknown): Uint8Array => (types.isUint8Array(bytes) ? new Uint8Array(bytes) : refuse());

const targetOf = (bytes: unknown): Uint8Array => (types.isUint8Array(bytes) ? bytes : refuse());
const textOf = (text: unknown): string => (typeof text === 'string' ? text : refuse());
const numberOf = (value: unknown, max: number): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max ? value : refuse();

type Parts = Pick<RealmBridge, 'readText' | 'sizeOf' | 'readInto'>;

/** The files that the interpreter loads, by name, until the first program could ask for them. */
const createParts = ({ folder, snapshot }: ChildSetup, isOpen: () => boolean): Parts => {
  const paths = new Map([
    ...['pyodide-lock.json', 'pyodide.asm.wasm', 'python_stdlib.zip'].map((name) => [name, folder + name] as const),
    ...(snapshot === null ? [] : ([['snapshot', snapshot]] as const)),
  ]);
  const pathOf = (name: string): string => (isOpen() ? (paths.get(name) ?? refuse()) : refuse());
  const withFile = <T>(name: string, use: (descriptor: number) => T): T => {
    const descriptor = openSync(pathOf(name), 'r');
    try {
      return use(descriptor);
    } finally {
      closeSync(descriptor);
    }
  };
  return {
    readText: (name) => readFileSync(pathOf(name), 'utf8'),
    sizeOf: (name) => withFile(name, (descriptor) => fstatSync(descriptor).size),
    readInto: (name, target) =>
      withFile(name, (descriptor) => {
        for (let at = 0; at < target.byteLength;) {
          const size = readSync(descriptor, target, at, target.byteLength - at, at);
          if (size === 0) break;
          at += size;
        }
      }),
  };
};

/** Passes text on up to a cap. */
const createSink = (bytesMax: number, send: (bytes: Uint8Array) => void) => {
  let left = bytesMax;
  let fitted = true;
  const write = (value: unknown): boolean => {
    if (!fitted) return false;
    const bytes = copyOf(value);
    const part = bytes.subarray(0, left);
    left -= part.byteLength;
    fitted = part.byteLength === bytes.byteLength;
    if (part.byteLength > 0) send(part);
    return true;
  };
  return { write, hasFitted: () => fitted };
};

/** Passes files on, in number and bytes up to a cap. */
const createFileSink = (limits: FrameLimits, send: (body: Uint8Array) => void) => {
  let bytesLeft = limits.filesBytesMax;
  let filesLeft = limits.filesMax;
  let fitted = true;
  const file = (path: unknown, value: unknown): void => {
    const name = new TextEncoder().encode(textOf(path));
    const content = copyOf(value);
    if (filesLeft === 0 || content.byteLength > bytesLeft || name.byteLength > limits.pathBytesMax) {
      fitted = false;
      return;
    }
    filesLeft -= 1;
    bytesLeft -= content.byteLength;
    const body = new Uint8Array(form.pathLengthBytes + name.byteLength + content.byteLength);
    new DataView(body.buffer).setUint16(0, name.byteLength);
    body.set(name, form.pathLengthBytes);
    body.set(content, form.pathLengthBytes + name.byteLength);
    send(body);
  };
  return {
    file,
    roomBytes: () => (filesLeft === 0 ? -1 : bytesLeft),
    leftOut: () => void (fitted = false),
    hasFitted: () => fitted,
  };
};

type Text = Pick<RealmBridge, 'decode' | 'encodedBytes' | 'encodeInto' | 'nowMs' | 'randomBase64'>;

/** What browsers have beside the language and the interpreter asks for. */
const createText = (): Text => {
  const clock = performance;
  return {
    nowMs: () => clock.now(),
    randomBase64: (byteCount) => randomBytes(numberOf(byteCount, randomBytesMax)).toString('base64'),
    decode: (label, bytes, ignoresMark, isFatal) =>
      new TextDecoder(textOf(label), { ignoreBOM: ignoresMark, fatal: isFatal }).decode(copyOf(bytes)),
    encodedBytes: (text) => new TextEncoder().encode(textOf(text)).byteLength,
    encodeInto: (text, target) => new TextEncoder().encodeInto(textOf(text), targetOf(target)).written,
  };
};

/** The body of the last frame: how it ended, and which of the given files are gone. */
const endBody = (flags: number, removed: ReadonlySet<number>): Uint8Array => {
  const body = new Uint8Array(1 + removed.size * form.indexBytes);
  const view = new DataView(body.buffer);
  body[0] = flags;
  let at = 1;
  for (const index of removed) {
    view.setUint32(at, index);
    at += form.indexBytes;
  }
  return body;
};

export const createBridge = (setup: ChildSetup, input: ChildInput, send: FrameWriter): RealmBridge => {
  const { limits } = setup;
  let isLocked = false;
  const output = createSink(limits.outputBytesMax, (bytes) => send('o', bytes));
  const errors = createSink(limits.errorBytesMax, (bytes) => send('e', bytes));
  const files = createFileSink(limits, (body) => send('f', body));
  const removed = new Set<number>();
  const givenFiles = input.job?.files.length ?? 0;
  return {
    ...createParts(setup, () => !isLocked),
    ...createText(),
    jobText: () => JSON.stringify(input.job),
    contentsBytes: () => input.contents.byteLength,
    contentsInto: (target) => targetOf(target).set(input.contents),
    lock: () => {
      isLocked = true;
      lock();
    },
    output: output.write,
    errors: errors.write,
    file: files.file,
    roomBytes: files.roomBytes,
    leftOut: files.leftOut,
    removed: (index) => void removed.add(numberOf(index, givenFiles - 1)),
    end: (ended) => {
      const flags =
        (ended ? form.endedFlag : 0) |
        (output.hasFitted() ? form.outputFittedFlag : 0) |
        (files.hasFitted() ? form.filesFittedFlag : 0);
      send('d', endBody(flags, removed));
      exit(0);
    },
    snapshot: (memory) => {
      send('s', copyOf(memory));
      exit(0);
    },
    fail: (diagnosis) => {
      writeSync(2, textOf(diagnosis).slice(0, diagnosisCharsMax));
      exit(1);
    },
  };
};
