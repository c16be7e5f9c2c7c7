import { listRowsMax } from '@tollgate/storage';
import type { Engine } from '../engine.ts';

/** Whether an operation that has not ended uses it, a file or a resource by its index; looks at every use there is. */
export const isUnderWay = async (
  { storage }: Pick<Engine, 'storage'>,
  index: 'fileUsesByFile' | 'usesByResource',
  of: string,
): Promise<boolean> => {
  let after: { readonly order: number; readonly id: string } | undefined;
  for (;;) {
    const uses = await storage.list(index, { of, limit: listRowsMax, ...(after === undefined ? {} : { after }) });
    const keys = uses.map(({ operationId }) => ({ table: 'operation', id: operationId }) as const);
    if (keys.length > 0) {
      const records = await storage.read(keys);
      if (keys.some(({ id }) => records.get('operation', id)?.endedAtMs === null)) return true;
    }
    const last = uses.at(-1);
    if (last === undefined || uses.length < listRowsMax) return false;
    after = { order: last.createdAtMs, id: last.id };
  }
};
