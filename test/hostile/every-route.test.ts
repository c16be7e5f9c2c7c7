import { afterAll, expect, test } from 'vitest';
import { routes } from '../../packages/contract/src/index.ts';
import { createMemoryDisk, memoryStorage, type MemoryDisk } from '../../packages/storage-memory/src/index.ts';
import { tableColumns, type TableName } from '../../packages/storage/src/index.ts';
import { dropDatabase, storages } from '../clients/storages.ts';
import { faultOf } from './answer-fault.ts';
import { hostileBody } from './evil-text.ts';
import { chooseFrom, createRandom } from './mutations.ts';
import { seedModels, seedsOf } from './route-seeds.ts';
import {
  kindOfPath,
  openRouteWorld,
  targetOf,
  type HostileAsk,
  type RouteRow,
  type RouteWorld,
  type Way,
} from './route-world.ts';

const requestsCount = 450 * Number(process.env['TEST_SCALE'] ?? '1');
const atOnce = 8;
const seed = 20_261_121;

type Random = () => number;

const bodyRoutes = routes.filter(({ request }) => request !== null);

const noIds = { file: '', cache: '', batch: '', video: '', store: '', document: '', environment: '' };

test('every route that takes a body has bodies to begin with', () => {
  const ids = { ...noIds, interaction: '', agent: '', webhook: '', trigger: '', request: '' };
  const without = routes.filter((row) => seedsOf(row.id, ids).length > 0 !== (row.request !== null));
  expect(without.map(({ id }) => id)).toEqual([]);
});

const identities = ['same', 'same', 'other', 'not printable \u00e9', 'a'.repeat(129), ''];

const headersFor = (random: Random): Readonly<Record<string, string>> =>
  random() < 0.2 ? { 'idempotency-key': chooseFrom(random, identities) } : {};

/** A request to a row: a body that is nearly right, and mostly an id that is there. */
const askOf = (world: RouteWorld, row: RouteRow, random: Random): HostileAsk => {
  const chosen = chooseFrom(random, seedsOf(row.id, world.ids));
  const kind = kindOfPath(row.path);
  const parameter = kind === null ? seedModels[chosen.model] : world.ids[kind];
  return {
    method: row.method,
    target: targetOf(row, parameter),
    key: world.keyOf(chosen.model),
    headers: headersFor(random),
    body: hostileBody(chosen.body, random),
  };
};

interface Tally {
  readonly faults: string[];
  /** How often each route took what it was sent. */
  readonly taken: Map<string, number>;
}

const bombard = async (world: RouteWorld, way: Way, random: Random): Promise<Tally> => {
  const tally: Tally = { faults: [], taken: new Map() };
  const asks = Array.from({ length: requestsCount }, () => {
    const row = chooseFrom(random, bodyRoutes);
    return [row, askOf(world, row, random)] as const;
  })[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const [row, asked] of asks) {
      const answer = await world.ask(way, asked);
      const fault = faultOf(row, answer, world.keys);
      if (fault !== null) tally.faults.push(`${row.id}: ${fault}: ${String(asked.body).slice(0, 400)}`);
      if (answer.status < 300) tally.taken.set(row.id, (tally.taken.get(row.id) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return tally;
};

const isTableName = (name: string): name is TableName => Object.hasOwn(tableColumns, name);

const textOf = (row: unknown): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

const tables = Object.keys(tableColumns).filter(isTableName);

/** Bytes that no record names, whether or not they are announced as ownerless. */
const orphansOn = (disk: MemoryDisk): readonly string[] => {
  const rows = tables
    .filter((table) => table !== 'pendingBlob')
    .flatMap((table) => [...disk.rows(table).values()].map(textOf))
    .join('\n');
  const isNamed = (key: string): boolean => key.split('/').some((part) => part.length >= 36 && rows.includes(part));
  return [...disk.rows('pendingBlob').keys(), ...disk.blobs.keys()].filter((key) => !isNamed(key));
};

const disk = createMemoryDisk();
const opened = storages.map(([name, open]) => ({
  name,
  open: name === 'memory' ? () => memoryStorage({ disk }) : open,
  way: name === 'SQLite' ? ('function' as const) : ('socket' as const),
}));

afterAll(dropDatabase);

test.each(opened)(
  'bodies that are nearly right get answers of the contract from every route ($name, by $way) [errors:status:vocabulary]',
  async ({ name, open, way }) => {
    const world = await openRouteWorld(await open());
    const { faults, taken } = await bombard(world, way, createRandom(seed + name.length));
    expect(faults).toEqual([]);
    expect(world.running.errors).toEqual([]);
    // The test is about more than refusals.
    expect(bodyRoutes.filter(({ id }) => !taken.has(id)).map(({ id }) => id)).toEqual([]);
    await world.settle();
    // Empty where another storage is tried.
    expect(orphansOn(disk)).toEqual([]);
    const after = await world.ask(way, { method: 'GET', target: '/models', key: world.keyOf('text') });
    expect(after.status).toBe(200);
    await world.running.close();
  },
);
