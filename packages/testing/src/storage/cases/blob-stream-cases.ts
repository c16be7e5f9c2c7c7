import assert from 'node:assert/strict';
import { broken, bytesOf, chunksOf, patterned, textOf } from '../blob-samples.ts';
import type { StorageCase } from '../storage-case.ts';

export const blobStreamCases: readonly StorageCase[] = [
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
  {
    promise: 'S37',
    name: 'installs a stream whole or not at all where its key is deleted or put at any moment of it',
    run: async ({ storage, other }) => {
      const door = await other();
      const partBytes = 300_000;
      const parts = 5;
      const between = async (key: string, at: number, meddle: () => Promise<void>): Promise<void> => {
        async function* meddled(): AsyncGenerator<Uint8Array> {
          for (let part = 0; part < parts; part += 1) {
            yield patterned(partBytes);
            if (part === at) await meddle();
          }
        }
        const written = await storage.blobs.putStream(key, meddled()).catch(() => null);
        assert.ok(written === null || written === parts * partBytes, `${written} bytes were written`);
        const kept = await door.blobs.get(key);
        const whole = [parts * partBytes, 6, undefined];
        assert.ok(whole.includes(kept?.length), `${kept?.length} bytes are there after part ${at}`);
        if (written !== null) assert.equal(kept?.length, written, `after part ${at}`);
      };
      for (let at = 0; at < parts; at += 1) {
        await between(`deleted/${at}`, at, () => door.blobs.delete(`deleted/${at}`));
        await between(`own/${at}`, at, () => storage.blobs.delete(`own/${at}`));
        await between(`put/${at}`, at, () => door.blobs.put(`put/${at}`, bytesOf('theirs')));
      }
    },
  },
  {
    promise: 'S40',
    name: 'leaves no bytes of what was deleted, replaced or broken off',
    needs: 'blobBytes',
    run: async ({ storage, other, hook }) => {
      const door = await other();
      const long = patterned(1_300_000);
      const assertKept = async (bytes: number, what: string): Promise<void> =>
        assert.equal(await hook('blobBytes')(), bytes, `bytes after ${what}`);
      await storage.blobs.putStream('key', chunksOf(long));
      await assertKept(1_300_000, 'a stream');
      await storage.blobs.putStream('key', chunksOf(patterned(700_000)));
      await assertKept(700_000, 'a stream over a stream');
      await assert.rejects(storage.blobs.putStream('key', broken()));
      await assert.rejects(storage.blobs.putStream('none', broken()));
      await assertKept(700_000, 'streams that broke');
      await Promise.all([storage, door].map(({ blobs }) => blobs.putStream('raced', chunksOf(long))));
      await assertKept(2_000_000, 'two streams at once');
      await storage.blobs.put('key', bytesOf('short'));
      await assertKept(1_300_005, 'a blob over a stream');
      async function* overtaken(): AsyncGenerator<Uint8Array> {
        for (let part = 0; part < 3; part += 1) yield patterned(600_000);
        await door.blobs.delete('raced');
      }
      const written = await storage.blobs.putStream('raced', overtaken()).catch(() => 0);
      await assertKept(5 + written, 'a stream whose key was deleted');
      await storage.blobs.delete('raced');
      await storage.blobs.delete('key');
      await assertKept(0, 'all of it was deleted');
    },
  },
];
