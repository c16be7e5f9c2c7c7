import { createFaultyStorage } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { breathe } from '../../../test/engine-world.ts';
import { createDocumentWorld } from '../../../test/document-world.ts';
import { sweep } from '../../../test/process-parts.ts';

const limits = { chunkCharactersMax: 40, overlapCharacters: 0, textsPerCallMax: 1 };
const text = 'The first sentence has a few words. The second sentence has some more. The third sentence is the last.';
const words = 19n;

/** A process that makes so many calls of the storage and dies with the last one, which takes effect or does not. */
const dieAfter = async (calls: number, last: 'lost' | 'unanswered') => {
  const world = await createDocumentWorld(limits);
  const store = await world.createStore();
  const id = await world.index(store, text);
  let made = 0;
  const before = () => {
    made += 1;
    if (made < calls) return { kind: 'none' } as const;
    return { kind: made === calls ? last : 'lost' } as const;
  };
  const dying = world.process({ storage: createFaultyStorage(world.storage, { before }), owner: 'dying' });
  void sweep(dying);
  for (let round = 0; round < 40; round += 1) await breathe();
  const died = made >= calls;
  return { world, store, id, died };
};

/** What is to be seen of a document that ended so. */
const ending = (state: string) =>
  state === 'completed'
    ? { state, chargedMicros: words, chunks: 3, found: 3 }
    : { state: 'uncertain', chargedMicros: 0n, chunks: 0, found: 0 };

const seenOf = async ({ world, store, id }: Awaited<ReturnType<typeof dieAfter>>) => {
  const { state, chargedMicros, holdMicros } = (await world.find('document', id)).operation;
  const found = (await world.search([store], 'second sentence')).length;
  expect(await world.reserved()).toBe(holdMicros);
  return { state, chargedMicros, chunks: await world.chunks(store), found };
};

const takeOver = async ({ world }: Awaited<ReturnType<typeof dieAfter>>): Promise<void> => {
  const other = world.process({ owner: 'other' });
  for (let turn = 0; turn < 4; turn += 1) {
    await world.clock.advance(world.engine.limits.leaseMs + 1);
    await world.work(other);
  }
};

test('a document whose worker died at any call of the storage ends, and nothing is embedded twice', async () => {
  const states = new Map<string, number>();
  let deaths = 0;
  for (let calls = 1, alive = false; !alive; calls += 1) {
    for (const last of ['lost', 'unanswered'] as const) {
      const scene = await dieAfter(calls, last);
      if (!scene.died) {
        alive = true;
        continue;
      }
      await takeOver(scene);
      const handed = scene.world.handed.flat();
      const seen = await seenOf(scene);
      expect(new Set(handed).size, `${last} at call ${calls}`).toBe(handed.length);
      expect(seen, `${last} at call ${calls}`).toEqual(ending(seen.state));
      states.set(seen.state, (states.get(seen.state) ?? 0) + 1);
      deaths += 1;
    }
  }
  expect(deaths).toBeGreaterThan(30);
  expect([...states.keys()].toSorted()).toEqual(['completed', 'uncertain']);
});
