import { fork } from 'node:child_process';
import path from 'node:path';
import type { ProcessFigures, SoakOrder, SoakSetup, SoakWord } from './soak-setup.ts';

export interface GatewayProcess {
  /** Rejects where it does not come so far. */
  readonly origin: Promise<string>;
  measure(): Promise<ProcessFigures>;
  deposit(accountId: string, reference: string): void;
  stop(): Promise<void>;
}

export const startGatewayProcess = (setup: SoakSetup): GatewayProcess => {
  const child = fork(path.join(import.meta.dirname, 'soak-gateway.ts'), [JSON.stringify(setup)], {
    execArgv: ['--conditions=@tollgate/source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const listening = Promise.withResolvers<string>();
  const exited = Promise.withResolvers<void>();
  let measured = Promise.withResolvers<ProcessFigures>();
  measured.promise.catch(() => undefined);
  child.on('message', (word: SoakWord) => {
    if (word.kind === 'listening') listening.resolve(word.origin);
    else measured.resolve(word.figures);
  });
  child.on('exit', (code) => {
    const gone = new Error(`a gateway ended with ${code}`);
    listening.reject(gone);
    measured.reject(gone);
    exited.resolve();
  });
  const send = (order: SoakOrder): boolean => child.connected && child.send(order);
  return {
    origin: listening.promise,
    measure: () => {
      measured = Promise.withResolvers();
      if (!child.connected) measured.reject(new Error('a gateway ended'));
      send({ kind: 'measure' });
      return measured.promise;
    },
    deposit: (accountId, reference) => void send({ kind: 'deposit', accountId, reference }),
    stop: () => {
      if (child.connected) child.disconnect();
      return exited.promise;
    },
  };
};
