import type { Storage } from '@tollgate/storage';
import { runFaulted, type FaultedCall, type Faults } from './fault.ts';

const call = (target: FaultedCall['target'], name: string): FaultedCall => ({ target, name, keys: [] });

const reading = call('storage', 'read');
const listing = call('storage', 'list');
const scanning = call('storage', 'scan');
const claiming = call('storage', 'claim');
const summing = call('storage', 'sumUsage');
const putting = call('blobs', 'put');
const getting = call('blobs', 'get');
const puttingStream = call('blobs', 'putStream');
const gettingStream = call('blobs', 'getStream');
const deleting = call('blobs', 'delete');
const indexing = call('vectors', 'put');
const searching = call('vectors', 'search');
const removing = call('vectors', 'remove');

/** The storage, with whatever faults are given injected at every await. Closing is not faulted. */
export const createFaultyStorage = (storage: Storage, faults: Faults): Storage => ({
  transact: (keys, decide) =>
    runFaulted(faults, { target: 'storage', name: 'transact', keys }, () => storage.transact(keys, decide)),
  read: (keys) => runFaulted(faults, reading, () => storage.read(keys)),
  list: (index, query) => runFaulted(faults, listing, () => storage.list(index, query)),
  scan: (table, query) => runFaulted(faults, scanning, () => storage.scan(table, query)),
  claim: (query) => runFaulted(faults, claiming, () => storage.claim(query)),
  sumUsage: (query) => runFaulted(faults, summing, () => storage.sumUsage(query)),
  blobs: {
    put: (key, bytes) => runFaulted(faults, putting, () => storage.blobs.put(key, bytes)),
    get: (key) => runFaulted(faults, getting, () => storage.blobs.get(key)),
    putStream: (key, chunks) => runFaulted(faults, puttingStream, () => storage.blobs.putStream(key, chunks)),
    getStream: (key, range) => runFaulted(faults, gettingStream, () => storage.blobs.getStream(key, range)),
    delete: (key) => runFaulted(faults, deleting, () => storage.blobs.delete(key)),
  },
  vectors: {
    put: (chunks) => runFaulted(faults, indexing, () => storage.vectors.put(chunks)),
    search: (query) => runFaulted(faults, searching, () => storage.vectors.search(query)),
    remove: (documentId) => runFaulted(faults, removing, () => storage.vectors.remove(documentId)),
  },
  close: () => storage.close(),
});
