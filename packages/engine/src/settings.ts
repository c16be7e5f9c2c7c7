import type { Engine } from './engine.ts';

/** A value that all processes on one storage share, made by whichever asks first. */
export const sharedSetting = (engine: Engine, id: string, make: () => string): Promise<string> =>
  engine.storage.transact([{ table: 'setting', id }], (records) => {
    const existing = records.get('setting', id);
    if (existing !== undefined) return { writes: [], answer: existing.value };
    const value = make();
    return { writes: [{ kind: 'put', table: 'setting', record: { id, value } }], answer: value };
  });
