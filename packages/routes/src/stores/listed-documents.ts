import { wireOf, type ListedDocument } from '@tollgate/engine';

/** Documents of one store that are looked through. Those before them are counted as completed. */
export const storeDocumentsMax = 1_000;

/** Documents of each store that a list of stores looks through. */
export const listedDocumentsMax = 100;

export type DocumentStatus = 'in_progress' | 'completed' | 'failed';

export const statusOfDocument = ({ operation }: Pick<ListedDocument, 'operation'>): DocumentStatus => {
  if (operation.state === 'completed' || operation.state === 'failed') return operation.state;
  return 'in_progress';
};

/** Bytes of the file, which the forms of other clients keep with the document; 0 of a document of the contract. */
export const bytesOfDocument = ({ resource }: Pick<ListedDocument, 'resource'>): number =>
  Number(wireOf(resource)?.echo['bytes'] ?? 0);

/** How many documents stand where. Indexing cannot be cancelled. */
export const countDocuments = (documents: readonly ListedDocument[], earlier = 0) => {
  const count = (status: DocumentStatus): number =>
    documents.filter((document) => statusOfDocument(document) === status).length;
  return {
    in_progress: count('in_progress'),
    completed: count('completed') + earlier,
    failed: count('failed'),
    cancelled: 0,
    total: documents.length + earlier,
  };
};

/** Counts the newest documents that were looked through, and those before them by the store's own count. */
export const countStore = (documents: readonly ListedDocument[], documentsMax: number, total: number) =>
  countDocuments(documents, documents.length < documentsMax ? 0 : Math.max(0, total - documents.length));
