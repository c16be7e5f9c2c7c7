import assert from 'node:assert/strict';
import { environmentIdleMs } from './environment-ask.ts';
import { createdJson, getFile, upload, uploadedId } from './file-ask.ts';
import { okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { everyKind, kindRows } from './kind-rows.ts';
import {
  assertDescribed,
  finishAll,
  foreignRing,
  keyRing,
  listOne,
  makeAll,
  readOne,
  removeOne,
} from './made-resource.ts';

const shown = 100;

/** The lists of every resource type, and of files. */
export const resourceListCases: readonly GatewayCase[] = [
  gatewayCase(
    'lists what the project has of every kind, and nothing of others [resources:list:envelope]',
    async (world) => {
      const made = await finishAll(world, keyRing(world));
      await makeAll(world, await foreignRing(world));
      for (const one of made) {
        const { path } = one.row;
        assertDescribed(await world.send({ path }), 'GET', path);
        const records = await listOne(world, path);
        assert.deepEqual(
          records.map((record) => record.at('object').value),
          records.map(() => one.row.kind),
        );
        const found = records.find((record) => record.at('id').value === one.id);
        assert.deepEqual(found?.value, (await readOne(world, one)).value);
        // A document was made in a store of its own.
        assert.equal(records.length, path === '/stores' ? 2 : 1, path);
      }
    },
    everyKind,
  ),
  gatewayCase(
    'keeps what has expired in its list [resources:list:expired-kept]',
    async (world) => {
      const file = await uploadedId(world);
      const made = await finishAll(world, keyRing(world));
      world.time.advance(environmentIdleMs + 1);
      await world.runJobs();
      const expiring = new Set<string>(['cache', 'video', 'environment']);
      for (const one of made) {
        const record = (await listOne(world, one.row.path)).find((each) => each.at('id').value === one.id);
        const status = expiring.has(one.row.kind) ? 'expired' : one.row.usable;
        assert.equal(record?.at('status').value, status, one.row.kind);
      }
      assert.equal(okJson(await getFile(world, file)).at('status').value, 'expired');
      const files = await listOne(world, '/files');
      assert.ok(files.some((each) => each.at('id').value === file && each.at('status').value === 'expired'));
      for (const one of made) okJson(await removeOne(world, one));
      for (const { row, id } of made)
        assert.ok((await listOne(world, row.path)).every((record) => record.at('id').value !== id));
    },
    everyKind,
  ),
  gatewayCase(
    'lists the newest hundred of every kind and of files, the newest first [limits:list:max-100] [limits:list:newest-first]',
    async (world) => {
      await world.wallet.deposit(world.accountId, 1_000_000_000_000n);
      const keys = keyRing(world);
      const bodies = new Map<string, { readonly key: string; readonly body: object }>();
      for (const row of kindRows) {
        const key = await keys(row.model);
        bodies.set(row.path, { key, body: await row.body(world, key) });
      }
      const created = new Map<string, string[]>([
        ['/files', []],
        ...kindRows.map(({ path }) => [path, [] as string[]] as const),
      ]);
      for (let turn = 0; turn <= shown; turn += 1) {
        world.time.advance(1_000);
        await Promise.all(
          [...created].map(async ([path, ids]) => {
            const ask = bodies.get(path);
            const record =
              ask === undefined ? createdJson(await upload(world)) : okJson(await world.send({ ...ask, path }));
            ids.push(record.at('id').text());
          }),
        );
      }
      for (const [path, ids] of created)
        assert.deepEqual(
          (await listOne(world, path)).map((record) => record.at('id').value),
          ids.toReversed().slice(0, shown),
          path,
        );
    },
    everyKind,
  ),
  gatewayCase('lists at most 1 MiB of records, the newest first, and the rest by their ids', async (world) => {
    const body = { system_instruction: 'x'.repeat(65_536) };
    const ids: string[] = [];
    for (let place = 0; place < 20; place += 1) {
      const created = await world.send({ path: '/agents', body });
      ids.unshift(okJson(created).at('id').text());
      world.time.advance(1);
    }
    const listed = await world.send({ path: '/agents' });
    const listedIds = okJson(listed)
      .at('data')
      .list()
      .map((record) => record.at('id').value);
    assert.deepEqual(listedIds, ids.slice(0, 15));
    assert.ok(listed.text.length < 1_048_576);
    assert.equal(okJson(await world.send({ path: `/agents/${ids.at(-1) ?? ''}` })).at('id').value, ids.at(-1));
  }),
];
