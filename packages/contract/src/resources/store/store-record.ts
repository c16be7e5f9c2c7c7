import { z } from 'zod';
import { resourceRecordSchemas } from '../resource-record.ts';

// stores:record:document-count
/** The record of a store in its three forms. */
export const storeSchemas = resourceRecordSchemas('store', {
  shown: { document_count: z.int().min(0).meta({ description: 'Documents that have not been deleted.' }) },
  result: null,
});

// documents:record:fields
/** The record of a document in its three forms. */
export const documentSchemas = resourceRecordSchemas('document', {
  shown: { store: z.uuid(), file: z.uuid() },
  result: { chunk_count: z.int().min(0).meta({ description: 'Pieces of its text that can be found.' }) },
});
