import { format } from 'node:util';

type Listener = (text: string) => void;

const consoleNames = ['log', 'info', 'warn', 'error', 'debug'] as const;
const listeners = new Set<Listener>();
let restore: (() => void) | undefined;

const tell = (text: string): void => {
  for (const listener of listeners) listener(text);
};

/** Puts ears on what the process prints, once for all that listen; returns what takes them off. */
const listenToProcess = (): (() => void) => {
  const undo: (() => unknown)[] = [];
  for (const name of consoleNames) {
    const original = console[name];
    console[name] = (...given: unknown[]) => {
      tell(format(...given));
      original.apply(console, given);
    };
    undo.push(() => (console[name] = original));
  }
  for (const stream of [process.stdout, process.stderr]) {
    const own = Object.getOwnPropertyDescriptor(stream, 'write');
    const original = stream.write.bind(stream);
    const write = (...given: Parameters<typeof original>): boolean => {
      tell(String(given[0]));
      return original(...given);
    };
    Object.defineProperty(stream, 'write', { value: write, configurable: true, writable: true });
    undo.push(() =>
      own === undefined ? Reflect.deleteProperty(stream, 'write') : Object.defineProperty(stream, 'write', own),
    );
  }
  return () => undo.forEach((each) => each());
};

/** Runs the body, and returns whether any of the secrets was printed meanwhile. */
export const isPrintedBy = async (secrets: readonly string[], body: () => Promise<void>): Promise<boolean> => {
  let isPrinted = false;
  const listener: Listener = (text) => {
    isPrinted ||= secrets.some((secret) => text.includes(secret));
  };
  listeners.add(listener);
  restore ??= listenToProcess();
  try {
    await body();
  } finally {
    listeners.delete(listener);
    if (listeners.size === 0) {
      restore();
      restore = undefined;
    }
  }
  return isPrinted;
};
