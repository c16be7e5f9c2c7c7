import type { Storage } from '@tollgate/storage';

/** Called before each call of a cell, and with `done` after it. */
export type Hook = (call: string, done?: true) => Promise<void>;

/** A cell whose calls a test sees. */
export const withHook = (storage: Storage, name: string, hook: Hook): Storage => {
  const seen = async <T>(call: string, run: () => Promise<T>): Promise<T> => {
    await hook(`${call} ${name}`);
    const answer = await run();
    await hook(`${call} ${name}`, true);
    return answer;
  };
  return {
    ...storage,
    transact: (keys, decide) => seen('transact', () => storage.transact(keys, decide)),
    read: (keys) => seen('read', () => storage.read(keys)),
    list: (index, query) => seen('list', () => storage.list(index, query)),
    scan: (table, query) => seen('scan', () => storage.scan(table, query)),
    claim: (query) => seen('claim', () => storage.claim(query)),
    sumUsage: (query) => seen('sumUsage', () => storage.sumUsage(query)),
  };
};

const deathCode = 'process_died';

/** Whether an error is the death of a process, or what a cell made of it. */
export const isDead = (cause: unknown): boolean =>
  cause instanceof Error && (('code' in cause && cause.code === deathCode) || isDead(cause.cause));

/** A process that dies in its call of this number: what it asked is done, and it hears nothing any more. */
export const mortal = (callsMax: number): { readonly hook: Hook } => {
  let calls = 0;
  return {
    hook: async (_, done) => {
      if (done !== true) calls += 1;
      if (calls > callsMax || (calls === callsMax && done === true))
        throw Object.assign(new Error('the process died'), { code: deathCode });
    },
  };
};
