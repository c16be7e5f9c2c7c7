import assert from 'node:assert/strict';
import type { StorageCase } from '../storage-case.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const refusedKeys = ['', '/a', 'a/', 'a//b', '..', '../a', 'a/../../b', 'a b', 'a.b', 'ä', 'a\u0000'];

export const blobCases: readonly StorageCase[] = [
  {
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
    name: 'knows no blob that was not put',
    run: async ({ storage }) => {
      await storage.blobs.put('a/b', bytesOf('one'));
      assert.equal(await storage.blobs.get('a/c'), undefined);
      assert.equal(await storage.blobs.get('a'), undefined);
    },
  },
  {
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
    name: 'deletes a blob, and does not mind one that is not there',
    run: async ({ storage, other }) => {
      await storage.blobs.put('key', bytesOf('one'));
      await storage.blobs.delete('key');
      await storage.blobs.delete('key');
      assert.equal(await (await other()).blobs.get('key'), undefined);
    },
  },
  {
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
    name: 'refuses a key of other characters, or that leads elsewhere',
    run: async ({ storage }) => {
      await Promise.all(
        refusedKeys.map(async (key) => {
          await assert.rejects(storage.blobs.put(key, bytesOf('one')), `put ${key}`);
          await assert.rejects(storage.blobs.get(key), `get ${key}`);
          await assert.rejects(storage.blobs.delete(key), `delete ${key}`);
        }),
      );
    },
  },
];
