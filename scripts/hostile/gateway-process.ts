import { fork } from 'node:child_process';
import path from 'node:path';
import type { HostileOrder, HostileSetup, HostileWord, ProcessUse } from './hostile-setup.ts';

/** A gateway in a process of its own, whose use of the processor is read beside the road that requests take. */
export interface HostileProcess {
  readonly origin: string;
  measure(): Promise<ProcessUse>;
  makeKey(model: string | null, amountMicros: bigint): Promise<string>;
  stop(): Promise<void>;
}

export const startHostileProcess = async (setup: HostileSetup): Promise<HostileProcess> => {
  const child = fork(path.join(import.meta.dirname, 'hostile-gateway.ts'), [JSON.stringify(setup)], {
    execArgv: ['--conditions=@tollgate/source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = Promise.withResolvers<void>();
  let told = Promise.withResolvers<HostileWord>();
  child.on('message', (word: HostileWord) => told.resolve(word));
  child.on('exit', (code) => {
    told.reject(new Error(`the gateway ended with ${code}`));
    exited.resolve();
  });
  const next = async <K extends HostileWord['kind']>(kind: K): Promise<Extract<HostileWord, { kind: K }>> => {
    const word = await told.promise;
    if (word.kind !== kind) throw new Error(`the gateway said ${word.kind} in place of ${kind}`);
    // Sound: asked for on the line above.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return word as Extract<HostileWord, { kind: K }>;
  };
  const ask = <K extends HostileWord['kind']>(order: HostileOrder, kind: K) => {
    told = Promise.withResolvers();
    child.send(order);
    return next(kind);
  };
  const { origin } = await next('listening');
  return {
    origin,
    measure: async () => (await ask({ kind: 'measure' }, 'measured')).use,
    makeKey: async (model, amountMicros) =>
      (await ask({ kind: 'key', model, amountMicros: String(amountMicros) }, 'key')).key,
    stop: () => {
      if (child.connected) child.disconnect();
      return exited.promise;
    },
  };
};
