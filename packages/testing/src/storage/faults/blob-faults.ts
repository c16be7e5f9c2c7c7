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
    name: 'returns no bytes for a blob that is not there',
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
  {
    name: 'shows a stream while it comes',
    failing: ['shows nothing of a stream before it is whole', 'keeps what it held where a stream breaks'],
    fault: (parts) => ({
      putChunks: async (place, chunks) => {
        let bytes = new Uint8Array();
        for await (const chunk of chunks) {
          bytes = Uint8Array.from(Buffer.concat([bytes, chunk]));
          parts.putBlob(place, bytes);
        }
        parts.putBlob(place, bytes);
        return bytes.length;
      },
    }),
  },
  {
    name: 'installs what is left of a stream whose key was deleted',
    failing: ['installs nothing that is shorter than its stream', 'installs a stream whole or not at all'],
    fault: (parts, disk) => ({
      deleteBlob: (place) => {
        disk.blobs.delete(`${place}.part`);
        parts.deleteBlob(place);
      },
      putChunks: async (place, chunks) => {
        const part = `${place}.part`;
        let sizeBytes = 0;
        for await (const chunk of chunks) {
          disk.blobs.set(part, Uint8Array.from(Buffer.concat([disk.blobs.get(part) ?? Buffer.of(), chunk])));
          sizeBytes += chunk.length;
        }
        parts.putBlob(place, disk.blobs.get(part) ?? new Uint8Array());
        return sizeBytes;
      },
    }),
  },
  {
    name: 'keeps what came of a stream that broke',
    failing: ['keeps what it held where a stream breaks'],
    fault: (parts) => ({
      putChunks: async (place, chunks) => {
        const taken: Uint8Array[] = [];
        try {
          for await (const chunk of chunks) taken.push(Uint8Array.from(chunk));
        } catch (cause) {
          parts.putBlob(place, Buffer.concat(taken));
          throw cause;
        }
        parts.putBlob(place, Buffer.concat(taken));
        return Buffer.concat(taken).length;
      },
    }),
  },
  {
    name: 'keeps the chunks of a stream themselves',
    failing: ['keeps chunks as they were when they were given'],
    fault: () => ({
      gather: async (chunks) => {
        const taken: Uint8Array[] = [];
        for await (const chunk of chunks) taken.push(chunk);
        return Buffer.concat(taken);
      },
    }),
  },
  {
    name: 'takes an empty chunk for the end of a stream',
    failing: ['keeps the chunks of a stream as one blob'],
    fault: () => ({
      gather: async (chunks) => {
        const taken: Uint8Array[] = [];
        for await (const chunk of chunks) {
          if (chunk.length === 0) break;
          taken.push(Uint8Array.from(chunk));
        }
        return Buffer.concat(taken);
      },
    }),
  },
  {
    name: 'gives the first chunk of a blob only',
    failing: ['gives a blob that was put whole in chunks', 'keeps the chunks of a stream as one blob'],
    fault: (parts) => ({
      stream: (bytes, range) => ({ ...parts.stream(bytes.subarray(0, 65_536), range), sizeBytes: bytes.length }),
    }),
  },
  {
    name: 'gives the whole blob whatever range is asked for',
    failing: ['gives the range of a blob that is asked for'],
    fault: (parts) => ({ stream: (bytes) => parts.stream(bytes, undefined) }),
  },
  {
    name: 'takes any range',
    failing: ['refuses a range that is none'],
    fault: (parts) => ({
      stream: (bytes, range) => parts.stream(bytes.subarray(range?.fromByte, range?.toByte), undefined),
    }),
  },
  {
    name: 'does not put a stream in place of a blob',
    failing: ['replaces a stream by a blob and a blob by a stream'],
    fault: (parts, _, own) => ({
      putChunks: async (place, chunks) => {
        const bytes = await own().gather(chunks);
        if (parts.getBlob(place) === undefined) parts.putBlob(place, bytes);
        return bytes.length;
      },
    }),
  },
  {
    name: 'mixes streams to one key',
    failing: ['keeps one of several streams to one key, whole'],
    fault: (parts, disk) => ({
      putChunks: async (place, chunks) => {
        disk.blobs.delete(place);
        for await (const chunk of chunks)
          parts.putBlob(place, Buffer.concat([parts.getBlob(place) ?? new Uint8Array(), chunk]));
        return parts.getBlob(place)?.length ?? 0;
      },
    }),
  },
  {
    name: 'keeps the bytes of streams that broke',
    failing: ['leaves no bytes of what was deleted, replaced or broken off'],
    fault: (parts, disk) => ({
      putChunks: async (place, chunks) => {
        const part = `${place}.part`;
        const taken: Uint8Array[] = [];
        for await (const chunk of chunks) {
          taken.push(Uint8Array.from(chunk));
          disk.blobs.set(part, Uint8Array.from(Buffer.concat(taken)));
        }
        disk.blobs.delete(part);
        parts.putBlob(place, Buffer.concat(taken));
        return Buffer.concat(taken).length;
      },
    }),
  },
];
