import assert from 'node:assert/strict';
import type { BlobStream, Storage } from '@tollgate/storage';
import type { StorageCase } from '../storage-case.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The bytes in uneven chunks, the first and the last of them empty. */
async function* chunksOf(bytes: Uint8Array, chunkBytes = 70_001): AsyncGenerator<Uint8Array> {
  yield new Uint8Array();
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  yield new Uint8Array();
}

/** Chunks that all lie in one buffer, which is filled anew for each. */
async function* reusing(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(1_000);
  for (let at = 0; at < bytes.length; at += buffer.length) {
    const part = bytes.subarray(at, at + buffer.length);
    buffer.set(part);
    yield buffer.subarray(0, part.length);
    buffer.fill(0);
  }
}

const patterned = (size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8)) % 256);

async function* broken(): AsyncGenerator<Uint8Array> {
  yield patterned(600_000);
  throw new Error('the client has left');
}

const readAll = async (stream: BlobStream | undefined): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream?.chunks ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Compared by hand: the difference of long bytes takes an assertion library for ever to print. */
const assertSame = (found: Uint8Array | undefined, wanted: Uint8Array): void =>
  assert.ok(found !== undefined && Buffer.from(found).equals(wanted), 'the bytes are other ones');

const textOf = async (storage: Storage, key: string): Promise<string> =>
  Buffer.from((await storage.blobs.get(key)) ?? []).toString();

const refusedKeys = ['', '/a', 'a/', 'a//b', '..', '../a', 'a/../../b', 'a b', 'a.b', 'ä', 'a\u0000'];

/** From and to; null is the end. */
const ranges: readonly (readonly [number, number | null])[] = [
  [0, null],
  [0, 1],
  [1_299_999, null],
  [500, 500],
  [524_287, 524_289],
  [65_535, 1_250_000],
  [1_000_000, 9_000_000],
  [2_000_000, null],
  [2_000_000, 3_000_000],
];

export const blobCases: readonly StorageCase[] = [
  {
    promise: 'S36',
    name: 'keeps the bytes of a blob exactly, for every door',
    run: async ({ storage, other }) => {
      const all = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 31) % 256);
      await storage.blobs.put('answers/all', all);
      await storage.blobs.put('empty', new Uint8Array());
      const door = await other();
      // Compared by hand: the difference of long bytes takes an assertion library for ever to print.
      assert.ok(Buffer.from((await door.blobs.get('answers/all')) ?? []).equals(all));
      assert.equal((await door.blobs.get('empty'))?.length, 0);
    },
  },
  {
    promise: 'S36',
    name: 'knows no blob that was not put',
    run: async ({ storage }) => {
      await storage.blobs.put('a/b', bytesOf('one'));
      assert.equal(await storage.blobs.get('a/c'), undefined);
      assert.equal(await storage.blobs.get('a'), undefined);
      assert.equal(await storage.blobs.getStream('a/c'), undefined);
      assert.equal(await storage.blobs.getStream('a', { fromByte: 7 }), undefined);
    },
  },
  {
    promise: 'S36',
    name: 'replaces a blob that is put again, and only that one',
    run: async ({ storage }) => {
      await Promise.all(['key', 'KEY', 'key-', 'key_'].map((key) => storage.blobs.put(key, bytesOf(key))));
      await storage.blobs.put('key', bytesOf('two'));
      assert.equal(Buffer.from((await storage.blobs.get('key')) ?? []).toString(), 'two');
      assert.equal(Buffer.from((await storage.blobs.get('KEY')) ?? []).toString(), 'KEY');
      assert.equal(Buffer.from((await storage.blobs.get('key-')) ?? []).toString(), 'key-');
    },
  },
  {
    promise: 'S36',
    name: 'deletes a blob, and does not mind one that is not there',
    run: async ({ storage, other }) => {
      await storage.blobs.put('key', bytesOf('one'));
      await storage.blobs.delete('key');
      await storage.blobs.delete('key');
      assert.equal(await (await other()).blobs.get('key'), undefined);
    },
  },
  {
    promise: 'S36',
    name: 'is not changed by what a caller does to its bytes',
    run: async ({ storage }) => {
      const bytes = bytesOf('one');
      await storage.blobs.put('key', bytes);
      bytes.fill(0);
      (await storage.blobs.get('key'))?.fill(0);
      assert.equal(Buffer.from((await storage.blobs.get('key')) ?? []).toString(), 'one');
    },
  },
  {
    promise: 'S39',
    name: 'refuses a key of other characters, or that leads elsewhere',
    run: async ({ storage }) => {
      await Promise.all(
        refusedKeys.map(async (key) => {
          await assert.rejects(storage.blobs.put(key, bytesOf('one')), `put ${key}`);
          await assert.rejects(storage.blobs.get(key), `get ${key}`);
          await assert.rejects(storage.blobs.delete(key), `delete ${key}`);
          await assert.rejects(storage.blobs.putStream(key, chunksOf(bytesOf('one'))), `putStream ${key}`);
          await assert.rejects(storage.blobs.getStream(key), `getStream ${key}`);
        }),
      );
    },
  },
  {
    promise: 'S37',
    name: 'keeps the chunks of a stream as one blob, of any size, for every door',
    run: async ({ storage, other }) => {
      const door = await other();
      for (const size of [0, 1, 65_536, 1_300_000]) {
        const bytes = patterned(size);
        const key = `streamed/${size}`;
        assert.equal(await storage.blobs.putStream(key, chunksOf(bytes)), size);
        assertSame(await door.blobs.get(key), bytes);
        const stream = await door.blobs.getStream(key);
        assert.equal(stream?.sizeBytes, size);
        assertSame(await readAll(stream), bytes);
      }
    },
  },
  {
    promise: 'S36',
    name: 'gives a blob that was put whole in chunks',
    run: async ({ storage }) => {
      const bytes = patterned(200_000);
      await storage.blobs.put('whole', bytes);
      const stream = await storage.blobs.getStream('whole');
      assert.equal(stream?.sizeBytes, 200_000);
      assertSame(await readAll(stream), bytes);
    },
  },
  {
    promise: 'S37',
    name: 'shows nothing of a stream before it is whole',
    run: async ({ storage, other }) => {
      const door = await other();
      const seen: (Uint8Array | undefined)[] = [];
      async function* watched(): AsyncGenerator<Uint8Array> {
        for (let part = 0; part < 4; part += 1) {
          yield patterned(600_000);
          seen.push(await door.blobs.get('watched'), await storage.blobs.get('watched'));
        }
      }
      await storage.blobs.putStream('watched', watched());
      assert.deepEqual(
        seen.map((bytes) => bytes?.length),
        Array.from({ length: 8 }, () => undefined),
      );
      assert.equal((await door.blobs.get('watched'))?.length, 2_400_000);
    },
  },
  {
    promise: 'S37',
    name: 'installs nothing that is shorter than its stream where its key is deleted meanwhile',
    run: async ({ storage, other }) => {
      const door = await other();
      async function* overtaken(): AsyncGenerator<Uint8Array> {
        for (let part = 0; part < 3; part += 1) yield patterned(600_000);
        await door.blobs.delete('overtaken');
        yield patterned(600_000);
      }
      // A streaming client gets an error or the whole.
      const written = await storage.blobs.putStream('overtaken', overtaken()).catch(() => null);
      assert.equal((await door.blobs.get('overtaken'))?.length, written ?? undefined);
      assert.ok(written === null || written === 2_400_000, `${written} bytes were written`);
    },
  },
  {
    promise: 'S37',
    name: 'keeps what it held where a stream breaks, and throws what broke it',
    run: async ({ storage }) => {
      await storage.blobs.put('held', bytesOf('held'));
      await assert.rejects(storage.blobs.putStream('held', broken()), /the client has left/);
      await assert.rejects(storage.blobs.putStream('none', broken()), /the client has left/);
      assert.equal(await textOf(storage, 'held'), 'held');
      assert.equal(await storage.blobs.get('none'), undefined);
    },
  },
  {
    promise: 'S36',
    name: 'keeps chunks as they were when they were given',
    run: async ({ storage }) => {
      const bytes = patterned(20_500);
      await storage.blobs.putStream('reused', reusing(bytes));
      assertSame(await storage.blobs.get('reused'), bytes);
    },
  },
  {
    promise: 'S38',
    name: 'gives the range of a blob that is asked for, and the size of the whole',
    run: async ({ storage }) => {
      const bytes = patterned(1_300_000);
      await storage.blobs.putStream('in/chunks', chunksOf(bytes));
      await storage.blobs.put('at/once', bytes);
      for (const key of ['in/chunks', 'at/once'])
        for (const [fromByte, toByte] of ranges) {
          const range = toByte === null ? { fromByte } : { fromByte, toByte };
          const stream = await storage.blobs.getStream(key, range);
          assert.equal(stream?.sizeBytes, 1_300_000);
          assertSame(await readAll(stream), bytes.subarray(fromByte, toByte ?? undefined));
        }
    },
  },
  {
    promise: 'S38',
    name: 'refuses a range that is none',
    run: async ({ storage }) => {
      await storage.blobs.put('key', bytesOf('one'));
      for (const range of [{ fromByte: -1 }, { fromByte: 0.5 }, { fromByte: 2, toByte: 1 }])
        await assert.rejects(storage.blobs.getStream('key', range), RangeError);
    },
  },
  {
    promise: 'S36',
    name: 'replaces a stream by a blob and a blob by a stream, and deletes both',
    run: async ({ storage, other }) => {
      const door = await other();
      const long = patterned(1_300_000);
      await storage.blobs.putStream('key', chunksOf(long));
      await storage.blobs.put('key', bytesOf('short'));
      assert.equal(await textOf(door, 'key'), 'short');
      await storage.blobs.putStream('key', chunksOf(long));
      assertSame(await door.blobs.get('key'), long);
      await storage.blobs.putStream('key', chunksOf(bytesOf('again')));
      assertSame(await readAll(await door.blobs.getStream('key')), bytesOf('again'));
      await storage.blobs.delete('key');
      assert.equal(await door.blobs.getStream('key'), undefined);
      assert.equal(await door.blobs.get('key'), undefined);
    },
  },
  {
    promise: 'S37',
    name: 'keeps one of several streams to one key, whole',
    run: async ({ storage, other }) => {
      const door = await other();
      const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(700_000));
      await Promise.all(
        texts.map((text, at) => (at % 2 === 0 ? storage : door).blobs.putStream('raced', chunksOf(bytesOf(text)))),
      );
      assert.ok(texts.includes(await textOf(storage, 'raced')));
    },
  },
];
