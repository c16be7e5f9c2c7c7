import type { StorageFault } from './storage-fault.ts';

export const blobFaults: readonly StorageFault[] = [
  {
    name: 'keeps blobs as text',
    failing: ['keeps the bytes of a blob exactly'],
    fault: (parts) => ({ putBlob: (place, bytes) => parts.putBlob(place, Buffer.from(Buffer.from(bytes).toString())) }),
  },
  {
    name: 'takes an empty blob for none',
    failing: ['keeps the bytes of a blob exactly'],
    fault: (parts) => ({
      getBlob: (place) => {
        const bytes = parts.getBlob(place);
        return bytes?.length === 0 ? undefined : bytes;
      },
    }),
  },
  {
    name: 'answers no bytes for a blob that is not there',
    failing: ['knows no blob that was not put'],
    fault: (parts) => ({ getBlob: (place) => parts.getBlob(place) ?? new Uint8Array() }),
  },
  {
    name: 'keeps the first blob of a key',
    failing: ['replaces a blob that is put again'],
    fault: (parts) => ({
      putBlob: (place, bytes) => {
        if (parts.getBlob(place) === undefined) parts.putBlob(place, bytes);
      },
    }),
  },
  {
    name: 'does not tell large letters from small ones in a key',
    failing: ['replaces a blob that is put again, and only that one'],
    fault: (parts) => ({ blobPlace: (key) => parts.blobPlace(key).toLowerCase() }),
  },
  {
    name: 'keeps blobs that were deleted',
    failing: ['deletes a blob'],
    fault: () => ({ deleteBlob: () => undefined }),
  },
  {
    name: 'complains of deleting a blob that is not there',
    failing: ['deletes a blob, and does not mind one that is not there'],
    fault: (parts) => ({
      deleteBlob: (place) => {
        if (parts.getBlob(place) === undefined) throw new Error('no such blob');
        parts.deleteBlob(place);
      },
    }),
  },
  {
    name: 'shares the bytes of a blob with its caller',
    failing: ['is not changed by what a caller does to its bytes'],
    fault: (_, disk) => ({
      putBlob: (place, bytes) => void disk.blobs.set(place, bytes),
      getBlob: (place) => disk.blobs.get(place),
    }),
  },
  {
    name: 'takes any key for a blob',
    failing: ['refuses a key of other characters'],
    fault: () => ({ blobPlace: (key) => key }),
  },
];
