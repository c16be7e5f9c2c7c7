import { fork } from 'node:child_process';
import path from 'node:path';
import type { Sending } from './send-body.ts';

/** What a flood sends, and over how many connections at once; its body comes after it. */
export interface FloodSetup {
  readonly sending: Sending;
  readonly senders: number;
}

export type FloodOrder = { readonly kind: 'body'; readonly base64: string } | { readonly kind: 'start' | 'rest' };

/** The bodies that were answered since the start. */
export interface FloodWord {
  readonly shots: number;
}

/** A client in a process of its own. */
export interface Flooder {
  readonly start: () => void;
  /** Resolves with the number of bodies that were answered, once no other is under way. */
  readonly rest: () => Promise<number>;
  readonly stop: () => void;
}

export const startFlooder = (setup: FloodSetup, body: Buffer): Flooder => {
  const child = fork(path.join(import.meta.dirname, 'flood-client.ts'), [JSON.stringify(setup)], {
    execArgv: ['--conditions=@tollgate/source'],
  });
  let told = Promise.withResolvers<FloodWord>();
  child.on('message', (word: FloodWord) => told.resolve(word));
  child.on('exit', (code) => told.reject(new Error(`the flood ended with ${code}`)));
  const order = (what: FloodOrder): void => void child.send(what);
  order({ kind: 'body', base64: body.toString('base64') });
  return {
    start: () => order({ kind: 'start' }),
    rest: async () => {
      told = Promise.withResolvers();
      order({ kind: 'rest' });
      return (await told.promise).shots;
    },
    stop: () => {
      told.promise.catch(() => undefined);
      child.disconnect();
    },
  };
};
