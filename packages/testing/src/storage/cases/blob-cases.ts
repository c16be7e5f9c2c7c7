import assert from 'node:assert/strict';
import { assertSame, bytesOf, chunksOf, patterned, readAll, reusing, textOf } from '../blob-samples.ts';
import type { StorageCase } from '../storage-case.ts';

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
];
