import { listRowsMax, type IndexCursor, type OperationRecord, type ResourceRecord } from '@tollgate/storage';
import type { Engine } from '../../engine.ts';

/** A document with the operation that indexes it. */
export interface ListedDocument {
  readonly resource: ResourceRecord;
  readonly operation: OperationRecord;
}

/** The newest documents of a store, deleted ones left out, so many at the most. */
export const listDocuments = async (
  { storage }: Pick<Engine, 'storage'>,
  storeId: string,
  documentsMax: number,
): Promise<readonly ListedDocument[]> => {
  const documents: ListedDocument[] = [];
  let after: IndexCursor | undefined;
  while (documents.length < documentsMax) {
    const limit = Math.min(listRowsMax, documentsMax - documents.length);
    const page = after === undefined ? { of: storeId, limit } : { of: storeId, limit, after };
    const rows = await storage.list('resourcesByParent', page);
    const records = await storage.read(rows.map(({ id }) => ({ table: 'operation', id }) as const));
    for (const resource of rows) {
      const operation = records.get('operation', resource.id);
      if (operation !== undefined) documents.push({ resource, operation });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return documents;
    after = { order: last.createdAtMs, id: last.id };
  }
  return documents;
};
