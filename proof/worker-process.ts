import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A process of a proof that has said that it is ready. */
export interface ReadyProcess {
  readonly child: ChildProcess;
  /** The message by which it said so. */
  readonly message: unknown;
}

/** Starts a file of a proof in a process of its own; resolves with its first message, and rejects where it ends before. */
export const startProcess = async (file: string, words: readonly string[]): Promise<ReadyProcess> => {
  const child = fork(file, words, {
    execArgv: ['--conditions=@tollgate/source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${file} ended before it was ready`);
  });
  const messages: readonly unknown[] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return { child, message: messages[0] };
};

/** SIGKILL; resolves when the process has gone. */
export const killProcess = async (child: ChildProcess): Promise<void> => {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};
