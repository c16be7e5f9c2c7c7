import assert from 'node:assert/strict';
import { chunksPerPutMax, type FoundChunk, type IndexedChunk, type Storage } from '@tollgate/storage';
import type { StorageCase } from '../storage-case.ts';
import { lookWhile } from '../storage-steps.ts';

const chunk = (place: number, vector: readonly number[], more: Partial<IndexedChunk> = {}): IndexedChunk => ({
  storeId: 'store',
  documentId: 'document',
  place,
  page: null,
  startIndex: place * 10,
  endIndex: place * 10 + 8,
  text: `Text ${place}`,
  vector: Float32Array.from(vector),
  ...more,
});

const find = (
  { vectors }: Storage,
  vector: readonly number[],
  more: { readonly storeIds?: readonly string[]; readonly limit?: number } = {},
): Promise<readonly FoundChunk[]> =>
  vectors.search({ storeIds: ['store'], limit: 10, vector: Float32Array.from(vector), ...more });

const placesOf = (found: readonly FoundChunk[]): readonly string[] =>
  found.map(({ documentId, place }) => `${documentId} ${place}`);

const otherLength = { code: 'vector_dimensions' };

/** A vector in a plane, by its angle in degrees. */
const at = (degrees: number, length = 1): readonly number[] => {
  const angle = (degrees * Math.PI) / 180;
  return [length * Math.cos(angle), length * Math.sin(angle), 0];
};

const textual = 'Ein "Wort"\\, {geklammert}, \u{1F600}\n\tNULL';

export const vectorCases: readonly StorageCase[] = [
  {
    promise: 'S41',
    name: 'finds the chunks that lie nearest, the nearest first, for every door',
    run: async ({ storage, other }) => {
      await storage.vectors.put([chunk(0, at(80)), chunk(1, at(10)), chunk(2, at(-40)), chunk(3, at(170))]);
      const found = await find(await other(), at(0), { limit: 3 });
      assert.deepEqual(placesOf(found), ['document 1', 'document 2', 'document 0']);
      for (const [index, degrees] of [10, 40, 80].entries())
        assert.ok(Math.abs((found[index]?.score ?? 9) - Math.cos((degrees * Math.PI) / 180)) < 1e-5, `${degrees}`);
      assert.deepEqual(placesOf(await find(storage, at(180), { limit: 1 })), ['document 3']);
    },
  },
  {
    promise: 'S42',
    name: 'keeps what belongs to a chunk exactly',
    run: async ({ storage }) => {
      await storage.vectors.put([
        chunk(0, at(0), { text: textual, page: 7, startIndex: 3, endIndex: 99 }),
        chunk(1, at(10), { text: '', page: null }),
      ]);
      const [first, second] = (await find(storage, at(0))).map(({ score: _, ...kept }) => kept);
      assert.deepEqual(first, {
        storeId: 'store',
        documentId: 'document',
        place: 0,
        page: 7,
        startIndex: 3,
        endIndex: 99,
        text: textual,
      });
      assert.equal(second?.page, null);
      assert.equal(second?.text, '');
    },
  },
  {
    promise: 'S41',
    name: 'goes by the direction of a vector, whatever its length',
    run: async ({ storage }) => {
      await storage.vectors.put([chunk(0, at(60, 1_000)), chunk(1, at(20, 0.001))]);
      const found = await find(storage, at(0, 50));
      assert.deepEqual(placesOf(found), ['document 1', 'document 0']);
      assert.ok(Math.abs((found[0]?.score ?? 9) - Math.cos(Math.PI / 9)) < 1e-5);
    },
  },
  {
    promise: 'S41',
    name: 'puts chunks that are equally near in the order of document and place',
    run: async ({ storage }) => {
      await storage.vectors.put([
        chunk(1, at(30), { documentId: 'b' }),
        chunk(10, at(30), { documentId: 'a' }),
        chunk(2, at(30), { documentId: 'a' }),
      ]);
      assert.deepEqual(placesOf(await find(storage, at(30))), ['a 2', 'a 10', 'b 1']);
      assert.deepEqual(placesOf(await find(storage, at(30), { limit: 1 })), ['a 2']);
    },
  },
  {
    promise: 'S41',
    name: 'looks in the stores that are asked for, and in no other',
    run: async ({ storage }) => {
      await storage.vectors.put([
        chunk(0, at(5), { storeId: 'one', documentId: 'a' }),
        chunk(0, at(0), { storeId: 'two', documentId: 'b' }),
        chunk(0, at(9), { storeId: 'ONE', documentId: 'c' }),
      ]);
      assert.deepEqual(placesOf(await find(storage, at(0), { storeIds: ['one'] })), ['a 0']);
      assert.deepEqual(placesOf(await find(storage, at(0), { storeIds: ['two', 'one', 'one'] })), ['b 0', 'a 0']);
      assert.deepEqual(await find(storage, at(0), { storeIds: ['none'] }), []);
    },
  },
  {
    promise: 'S42',
    name: 'replaces a chunk that is put again',
    run: async ({ storage, other }) => {
      await storage.vectors.put([chunk(0, at(0)), chunk(1, at(90))]);
      await (await other()).vectors.put([chunk(0, at(90), { text: 'New', page: 2 })]);
      const found = await find(storage, at(90));
      assert.deepEqual(placesOf(found), ['document 0', 'document 1']);
      assert.deepEqual([found[0]?.text, found[0]?.page], ['New', 2]);
    },
  },
  {
    promise: 'S42',
    name: 'removes the chunks of a document, and of no other, and does not mind one that is not there',
    run: async ({ storage, other }) => {
      const many = Array.from({ length: chunksPerPutMax }, (_, place) => chunk(place, at(place)));
      for (let part = 0; part < 6; part += 1)
        await storage.vectors.put(many.map((one) => ({ ...one, place: one.place + part * chunksPerPutMax })));
      await storage.vectors.put([chunk(0, at(0), { documentId: 'kept' })]);
      await storage.vectors.remove('document');
      await storage.vectors.remove('document');
      assert.deepEqual(placesOf(await find(await other(), at(0), { limit: 1_000 })), ['kept 0']);
    },
  },
  {
    promise: 'S41',
    name: 'searches more chunks than it holds in its hands at once',
    run: async ({ storage }) => {
      for (let part = 0; part < 11; part += 1)
        await storage.vectors.put(
          Array.from({ length: chunksPerPutMax }, (_, index) => {
            const place = part * chunksPerPutMax + index;
            // One and the same angle for no two of them, the nearest in the middle.
            return chunk(place, at((place - 555) / 20));
          }),
        );
      const found = await find(storage, at(0), { limit: 4 });
      assert.deepEqual(placesOf(found), ['document 555', 'document 554', 'document 556', 'document 553']);
      assert.equal((await find(storage, at(0), { limit: 1_000 })).length, 1_000);
    },
  },
  {
    promise: 'S43',
    name: 'refuses a vector of another length than those that a store holds',
    run: async ({ storage }) => {
      await storage.vectors.put([chunk(0, at(0))]);
      await assert.rejects(storage.vectors.put([chunk(1, [1, 0])]), otherLength);
      await assert.rejects(find(storage, [1, 0]), otherLength);
      const both = [chunk(0, [1, 0], { storeId: 'new' }), chunk(1, at(0), { storeId: 'new' })];
      await assert.rejects(storage.vectors.put(both), otherLength);
      await storage.vectors.put([chunk(0, [1, 0], { storeId: 'other', documentId: 'other' })]);
      assert.deepEqual(placesOf(await find(storage, at(0))), ['document 0']);
    },
  },
  {
    promise: 'S44',
    name: 'adds all chunks of a call or none',
    run: async ({ storage }) => {
      const chunks = [chunk(0, at(0)), chunk(1, at(1)), chunk(2, [1, 0])];
      await assert.rejects(storage.vectors.put(chunks), otherLength);
      await assert.rejects(storage.vectors.put([chunk(0, at(0)), chunk(1, [0, 0, 0])]));
      assert.deepEqual(await find(storage, at(0)), []);
    },
  },
  {
    promise: 'S45',
    name: 'refuses chunks and questions beyond its bounds',
    run: async ({ storage }) => {
      const tooMany = Array.from({ length: chunksPerPutMax + 1 }, (_, place) => chunk(place, at(place)));
      await assert.rejects(storage.vectors.put(tooMany));
      await assert.rejects(storage.vectors.put([chunk(0, at(0)), chunk(0, at(1))]));
      await assert.rejects(storage.vectors.put([chunk(0, at(0), { text: 'a\0b' })]));
      await assert.rejects(find(storage, at(0), { limit: 0 }));
      await assert.rejects(find(storage, at(0), { storeIds: [] }));
      await assert.rejects(find(storage, [0, 0, 0]));
      await storage.vectors.put([]);
      assert.deepEqual(await find(storage, at(0)), []);
    },
  },
  {
    promise: 'S42',
    name: 'keeps vectors as they were when they were given',
    run: async ({ storage }) => {
      const given = chunk(0, at(0));
      await storage.vectors.put([given]);
      given.vector.set([-1, 0, 0]);
      assert.ok(((await find(storage, at(0)))[0]?.score ?? 0) > 0.99);
    },
  },
  {
    promise: 'S43',
    name: 'lets one of two lengths into a store that was empty when both were put',
    run: async ({ storage, other }) => {
      const door = await other();
      for (let round = 0; round < 8; round += 1) {
        const storeId = `raced${round}`;
        const lengths = [
          [1, 0],
          [0, 1, 0],
        ] as const;
        const outcomes = await Promise.allSettled(
          lengths.flatMap((vector, length) =>
            [storage, door].map((one, place) =>
              one.vectors.put([chunk(place, vector, { storeId, documentId: `${storeId}-${length}` })]),
            ),
          ),
        );
        const [flat, deep] = [outcomes.slice(0, 2), outcomes.slice(2)];
        const winners = [flat, deep].filter((half) => half.some(({ status }) => status === 'fulfilled'));
        assert.equal(winners.length, 1, `${winners.length} lengths are in one store`);
        for (const outcome of outcomes)
          if (outcome.status === 'rejected')
            assert.equal(Reflect.get(Object(outcome.reason), 'code'), otherLength.code);
        const won = winners[0] === flat ? lengths[0] : lengths[1];
        assert.equal((await find(door, won, { storeIds: [storeId] })).length, 2);
      }
    },
  },
  {
    promise: 'S44',
    name: 'finds all chunks of a call or none while they are put',
    run: async ({ storage, other }) => {
      const door = await other();
      const put = async (): Promise<void> => {
        for (let round = 0; round < 6; round += 1)
          await storage.vectors.put(
            Array.from({ length: chunksPerPutMax }, (_, place) => chunk(place, at(place), { documentId: `d${round}` })),
          );
      };
      await lookWhile(put(), async () => {
        const found = await find(door, at(0), { limit: 1_000 });
        assert.equal(found.length % chunksPerPutMax, 0, `${found.length} chunks were found`);
      });
    },
  },
];
