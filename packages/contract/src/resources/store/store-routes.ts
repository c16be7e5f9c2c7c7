import { limits } from '../../limits.ts';
import { resourceCreationStatuses, resourceRoutes } from '../resource-routes.ts';
import type { Route } from '../../http/route.ts';
import { documentSchemas, storeSchemas } from './store-record.ts';
import { DocumentRequestBody, StoreRequestBody } from './store-request.ts';

/** What the creation of both has in common. */
const creation = {
  method: 'POST',
  errorForm: 'object',
  charged: true,
  takesIdentity: true,
  bodyBytesMax: limits.bodyBytesMax.other,
  family: null,
  pathParameters: null,
  statuses: resourceCreationStatuses,
} as const;

/** Every route of stores and their documents. */
export const storeRoutes = [
  {
    ...creation,
    id: 'createStore',
    path: '/stores',
    summary: 'Create a store of documents',
    request: StoreRequestBody,
    success: {
      description: 'The store, which can be used at once.',
      contents: { 'application/json': storeSchemas.record },
    },
  },
  ...resourceRoutes({ one: 'Store', many: 'Stores', path: '/stores', noun: 'store' }, storeSchemas),
  {
    ...creation,
    id: 'createDocument',
    path: '/documents',
    summary: 'Index a file in a store',
    request: DocumentRequestBody,
    success: {
      description: 'The document, which may be in progress.',
      contents: { 'application/json': documentSchemas.record },
    },
  },
  ...resourceRoutes({ one: 'Document', many: 'Documents', path: '/documents', noun: 'document' }, documentSchemas),
] as const satisfies readonly Route[];
