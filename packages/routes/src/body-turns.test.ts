import { expect, test } from 'vitest';
import { createBodyTurns, type BodyTurnsOptions, type RequestTurns } from './body-turns.ts';

/** Everything that waits for a promise alone has gone on. */
const settle = async (): Promise<void> => {
  for (let round = 0; round < 8; round += 1) await Promise.resolve();
};

/** An event loop that goes on when a test says so. */
const createLoop = (bounds: BodyTurnsOptions['bounds'] = {}) => {
  let nowMs = 0;
  const passes: (() => void)[] = [];
  const rests: { readonly ms: number; readonly run: () => void }[] = [];
  const turns = createBodyTurns({
    atNextPass: (run) => void passes.push(run),
    after: (ms, run) => void rests.push({ ms, run }),
    monotonicMs: () => nowMs,
    bounds: { passMsMax: 2, restMsMax: 50, waitingPerProjectMax: 3, waitingMax: 4, ...bounds },
  });
  return {
    turns,
    /** Computes for so long. */
    take: (ms: number): void => {
      nowMs += ms;
    },
    settle,
    /** The pass that is under way ends. */
    nextPass: async (): Promise<void> => {
      for (const run of passes.splice(0)) run();
      await settle();
    },
    restsMs: () => rests.map(({ ms }) => ms),
    endRest: async (): Promise<void> => {
      for (const { run } of rests.splice(0)) run();
      await settle();
    },
  };
};

/** Notes when a request had its turn; one that is refused is over, and its code is returned. */
const taking = ({ turn, leave }: RequestTurns, name: string, had: string[]): Promise<string | void> =>
  turn().then(
    () => void had.push(name),
    (cause: unknown) => {
      leave();
      return String(Reflect.get(Object(cause), 'code'));
    },
  );

test('gives large bodies a share of a pass together, and the next of them the pass after it', async () => {
  const loop = createLoop();
  const had: string[] = [];
  const [a, b, c] = ['a', 'b', 'c'].map((project) => loop.turns.enter(project));
  if (a === undefined || b === undefined || c === undefined) throw new Error('no requests');
  for (const request of [a, b, c]) void request.turn().then(() => undefined);
  await loop.settle();
  loop.take(2);
  void taking(a, 'a', had);
  void taking(b, 'b', had);
  await loop.settle();
  expect(had).toEqual([]);
  await loop.nextPass();
  expect(had).toEqual(['a']);
  loop.take(2);
  await loop.nextPass();
  expect(had).toEqual(['a', 'b']);
  // Nothing is left: a pass without a body ends, and the next body begins at once.
  await loop.nextPass();
  void taking(c, 'c', had);
  await loop.settle();
  expect(had).toEqual(['a', 'b', 'c']);
});

test('goes on within one pass while its time lasts', async () => {
  const loop = createLoop();
  const had: string[] = [];
  const request = loop.turns.enter('a');
  for (const name of ['1', '2', '3']) {
    await taking(request, name, had);
    loop.take(0.5);
  }
  expect(had).toEqual(['1', '2', '3']);
  loop.take(0.5);
  void taking(request, '4', had);
  await loop.settle();
  expect(had).toHaveLength(3);
});

test('serves the projects by turns, however many bodies one of them has', async () => {
  const loop = createLoop({ waitingPerProjectMax: 10, waitingMax: 20 });
  const had: string[] = [];
  await taking(loop.turns.enter('many'), 'first', had);
  loop.take(2);
  for (const name of ['many 1', 'many 2', 'many 3']) void taking(loop.turns.enter('many'), name, had);
  void taking(loop.turns.enter('one'), 'one', had);
  for (let pass = 0; pass < 4; pass += 1) {
    await loop.nextPass();
    loop.take(2);
  }
  expect(had).toEqual(['first', 'many 1', 'one', 'many 2', 'many 3']);
});

test('rests for as long as a turn took while other requests are under way, and never longer than its bound', async () => {
  const loop = createLoop();
  const had: string[] = [];
  const small = loop.turns.enter('small');
  const large = loop.turns.enter('large');
  await taking(large, '1', had);
  loop.take(12);
  void taking(large, '2', had);
  await loop.nextPass();
  expect([had, loop.restsMs()]).toEqual([['1'], [12]]);
  await loop.endRest();
  expect(had).toEqual(['1', '2']);
  loop.take(900);
  void taking(large, '3', had);
  await loop.nextPass();
  expect(loop.restsMs()).toEqual([50]);
  await loop.endRest();
  // Where large bodies are alone there is nothing to rest for.
  small.leave();
  loop.take(12);
  void taking(large, '4', had);
  await loop.nextPass();
  expect([had, loop.restsMs()]).toEqual([['1', '2', '3', '4'], []]);
  large.leave();
  const next = loop.turns.enter('next');
  await taking(next, '5', had);
  loop.take(12);
  void taking(next, '6', had);
  await loop.nextPass();
  expect([had.slice(4), loop.restsMs()]).toEqual([['5', '6'], []]);
});

test('refuses a body where too many of its project wait with 429, and where too many wait at all with 503', async () => {
  const loop = createLoop();
  const had: string[] = [];
  const begun = loop.turns.enter('a');
  await taking(begun, 'begun', had);
  loop.take(2);
  for (const name of ['1', '2', '3']) void taking(loop.turns.enter('a'), name, had);
  expect(await taking(loop.turns.enter('a'), 'no', had)).toBe('rate_limited');
  void taking(loop.turns.enter('b'), 'b', had);
  expect(await taking(loop.turns.enter('c'), 'no', had)).toBe('service_unavailable');
  // One that was begun is read to its end.
  const last = taking(begun, 'last', had);
  for (let pass = 0; pass < 6; pass += 1) {
    await loop.nextPass();
    loop.take(2);
  }
  await last;
  expect(had.toSorted()).toEqual(['1', '2', '3', 'b', 'begun', 'last']);
  // Room again, once they had their turns.
  expect(await taking(loop.turns.enter('c'), 'c', had)).toBeUndefined();
});
