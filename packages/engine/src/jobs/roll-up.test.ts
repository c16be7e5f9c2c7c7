import { listRowsMax, type UsageLineRecord } from '@tollgate/storage';
import { memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { createEngineWorld } from '../../test/engine-world.ts';
import { createJobs } from './jobs.ts';
import { rollUp, rollUpCells } from './roll-up.ts';
import { partsOf } from '../../test/process-parts.ts';

type World = Awaited<ReturnType<typeof createEngineWorld>>;

const lineOf = (at: number): UsageLineRecord => ({
  id: `line ${at}`,
  accountId: 'a',
  projectId: 'p',
  keyId: 'k',
  model: `m${at % 3}`,
  provider: 'q',
  requests: 1,
  chargedMicros: 2n,
  correctedMicros: 0n,
  units: { input_text_tokens: at },
  createdAtMs: at * 60_000,
});

const addLines = ({ storage }: Pick<World, 'storage'>, lines: readonly UsageLineRecord[]): Promise<void> =>
  storage.transact(
    lines.map(({ id }) => ({ table: 'usageLine', id })),
    () => ({ writes: lines.map((record) => ({ kind: 'put', table: 'usageLine', record })), answer: undefined }),
  );

const sumsOf = ({ storage }: World) =>
  storage.sumUsage({
    rollUp: 'usageHour',
    bounds: [0, 365 * 24 * 3_600_000],
    where: { accountId: 'a' },
    groupBy: ['model'],
    after: null,
    limit: 1_000,
  });

const linesOf = ({ storage }: World) => storage.list('usageLines', { of: '', limit: listRowsMax });

test('rolls up every line, more than one step takes, and changes no sum', async () => {
  const world = await createEngineWorld();
  await addLines(
    world,
    Array.from({ length: 2 * listRowsMax + 1 }, (_, at) => lineOf(at)),
  );
  const before = await sumsOf(world);
  expect(await rollUp(world.engine)).toEqual({ rolledUp: 2 * listRowsMax + 1, more: false });
  expect(await linesOf(world)).toEqual([]);
  expect(await sumsOf(world)).toEqual(before);
  expect(await rollUp(world.engine)).toEqual({ rolledUp: 0, more: false });
});

test('says that lines are left where its rounds end before', async () => {
  const world = await createEngineWorld(100n, { limits: { sweepRoundsMax: 1 } });
  await addLines(
    world,
    Array.from({ length: listRowsMax + 1 }, (_, at) => lineOf(at)),
  );
  expect(await rollUp(world.engine)).toEqual({ rolledUp: listRowsMax, more: true });
  expect(await rollUp(world.engine)).toEqual({ rolledUp: 1, more: false });
});

test('says that lines are left in one of several cells', async () => {
  const world = await createEngineWorld(100n, { limits: { sweepRoundsMax: 1 } });
  const all = [memoryStorage(), memoryStorage()] as const;
  await addLines(
    { storage: all[1] },
    Array.from({ length: listRowsMax + 1 }, (_, at) => lineOf(at)),
  );
  const { limits, logger } = world.engine;
  const storage = { ...world.storage, cells: { of: () => all[0], all, split: async () => [] } };
  expect(await rollUpCells({ storage, limits, logger })).toEqual({ rolledUp: listRowsMax, more: true });
  expect(await rollUpCells({ storage, limits, logger })).toEqual({ rolledUp: 1, more: false });
});

test('counts each line once where two processes roll up at the same time', async () => {
  const world = await createEngineWorld();
  await addLines(
    world,
    Array.from({ length: listRowsMax }, (_, at) => lineOf(at)),
  );
  const before = await sumsOf(world);
  const reports = await Promise.all([rollUp(world.engine), rollUp(world.another()), rollUp(world.another())]);
  expect(reports.reduce((sum, { rolledUp }) => sum + rolledUp, 0)).toBe(listRowsMax);
  expect(await sumsOf(world)).toEqual(before);
});

test('counts each line once where a roll-up is applied and its confirmation is lost', async () => {
  const world = await createEngineWorld();
  await addLines(world, [lineOf(1), lineOf(2)]);
  const before = await sumsOf(world);
  let faults = 1;
  world.faults = (call) => (call.name === 'transact' && faults-- > 0 ? { kind: 'unconfirmed' } : undefined);
  await expect(rollUp(world.engine)).rejects.toThrow('unconfirmed');
  await rollUp(world.engine);
  expect(await sumsOf(world)).toEqual(before);
  expect(await linesOf(world)).toEqual([]);
});

test('the jobs of a process roll up what it ran', async () => {
  const world = await createEngineWorld();
  await world.run();
  expect(await linesOf(world)).toHaveLength(1);
  const jobs = createJobs(world.engine, partsOf(world.engine));
  jobs.start();
  await world.clock.advance(world.engine.limits.usageRollUpMs);
  expect(await linesOf(world)).toEqual([]);
  await jobs.stop();
  await world.run();
  await jobs.runDue();
  expect(await linesOf(world)).toEqual([]);
});
