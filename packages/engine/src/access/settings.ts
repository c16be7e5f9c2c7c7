import type { Storage } from '@tollgate/storage';
import { commitOnce } from '../operations/persist.ts';

/** A value that all processes on one storage share, or undefined where none has made it. */
export const findSetting = async (storage: Storage, id: string): Promise<string | undefined> =>
  (await storage.read([{ table: 'setting', id }])).get('setting', id)?.value;

/** A value that all processes on one storage share, made by whichever asks first. */
export const sharedSetting = (storage: Storage, id: string, make: () => string): Promise<string> =>
  commitOnce(
    { storage },
    {
      keys: [{ table: 'setting', id }],
      decide: (records) => {
        const existing = records.get('setting', id);
        if (existing !== undefined) return { writes: [], answer: existing.value };
        const value = make();
        return { writes: [{ kind: 'put', table: 'setting', record: { id, value } }], answer: value };
      },
    },
  );
