import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** What a process of the cluster tells the one that started it. */
export type Message =
  /** The address is '' for a process without a server. */
  | { readonly kind: 'ready'; readonly address: string; readonly pid: number }
  | { readonly kind: 'claimed'; readonly operationIds: readonly string[] };

type Told<K extends Message['kind']> = Extract<Message, { readonly kind: K }>;

/** One process of the cluster. */
export interface Member {
  readonly name: string;
  /** The first message of the kind. Rejects where the process ends without one. */
  readonly told: <K extends Message['kind']>(kind: K) => Promise<Told<K>>;
  /** Sends the signal, and returns the exit code, or null where the signal ended the process. */
  readonly end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<number | null>;
}

const toldMsMax = 60_000;

const firstOf = <K extends Message['kind']>(child: ChildProcess, name: string, kind: K): Promise<Told<K>> =>
  new Promise((resolve, reject) => {
    const tooLate = setTimeout(() => reject(new Error(`${name} was not ${kind} in time`)), toldMsMax);
    child.once('exit', () => {
      clearTimeout(tooLate);
      reject(new Error(`${name} ended before it was ${kind}`));
    });
    child.on('message', (message) => {
      // Only `report` of the cluster's own processes sends here.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const told = message as Message;
      if (told.kind !== kind) return;
      clearTimeout(tooLate);
      // The kind was just compared.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      resolve(told as Told<K>);
    });
  });

/** Starts a script of this folder as a process that ends when this one does, whichever way that happens. */
export const startMember = (name: string, script: URL, environment: Readonly<Record<string, string>>): Member => {
  // Nothing of the caller's: what a process needs is named.
  const child = fork(script, { env: { ...environment } });
  const waited = new Map<Message['kind'], Promise<Message>>();
  for (const kind of ['ready', 'claimed'] as const) {
    const first = firstOf(child, name, kind);
    // Unknown kinds are ignored.
    first.catch(() => undefined);
    waited.set(kind, first);
  }
  return {
    name,
    told: async <K extends Message['kind']>(kind: K) => {
      // The map holds under each kind the first message of that kind.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return (await waited.get(kind)) as Told<K>;
    },
    end: async (signal) => {
      const ended = child.exitCode !== null || child.signalCode !== null;
      const exited = ended ? null : once(child, 'exit');
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
};

/** In a process of the cluster: tells the one that started it. */
export const report = (message: Message): void => {
  process.send?.(message);
};
