import type { DialectMethod } from '../dialect.ts';
import { createAuthToken } from './live/auth-token.ts';
import { collectionMethodOf, type Collection } from './collection.ts';
import { cancelGoogleBatch, deleteGoogleBatch, getGoogleBatch, listGoogleBatches } from './batches/google-batch.ts';
import {
  createCachedContent,
  deleteCachedContent,
  getCachedContent,
  listCachedContents,
  patchCachedContent,
} from './caches/google-cache.ts';

const cachedContents: Collection = {
  path: '/cachedContents',
  create: { route: 'createCache', run: createCachedContent },
  list: { route: 'listCaches', run: listCachedContents },
  get: { route: 'getCache', run: (service, access, _, id) => getCachedContent(service, access, id) },
  patch: { route: 'patchCache', run: patchCachedContent },
  remove: { route: 'deleteCache', run: (service, access, _, id) => deleteCachedContent(service, access, id) },
};

/** Tokens are made, and never shown again. */
const authTokens: Collection = {
  path: '/auth_tokens',
  create: { route: 'createLiveSession', run: createAuthToken },
};

const batches: Collection = {
  path: '/batches',
  list: { route: 'listBatches', run: listGoogleBatches },
  get: { route: 'getBatch', run: getGoogleBatch },
  remove: { route: 'deleteBatch', run: (service, access, _, id) => deleteGoogleBatch(service, access, id) },
  actions: {
    cancel: {
      route: 'cancelBatch',
      purpose: 'query',
      run: (service, access, _, id) => cancelGoogleBatch(service, access, id),
    },
  },
};

const collections = [cachedContents, authTokens, batches];

/** The method of this dialect on resources, or null where it has none of the path. */
export const resourceMethodOf = (method: string, path: string): DialectMethod | null => {
  for (const collection of collections) {
    const found = collectionMethodOf(collection, method, path);
    if (found !== null) return found;
  }
  return null;
};
