import { z } from 'zod';
import { resourceRecordSchemas } from '../resource-record.ts';

/** The record of a store in its three forms [stores:record:document-count]. */
export const storeSchemas = resourceRecordSchemas('store', {
  shown: { document_count: z.int().min(0).meta({ description: 'Documents that have not been deleted.' }) },
  result: null,
});

/** The record of a document in its three forms [documents:record:fields]. */
export const documentSchemas = resourceRecordSchemas('document', {
  shown: { store: z.uuid(), file: z.uuid() },
  result: { chunk_count: z.int().min(0).meta({ description: 'Pieces of its text that can be found.' }) },
});
