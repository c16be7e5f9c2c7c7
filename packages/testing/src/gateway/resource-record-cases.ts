import assert from 'node:assert/strict';
import { resourceKinds, resourceStates, routes, statesByKind } from '@tollgate/contract';
import { okJson, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { functionCall, interactionClient, scriptCalls } from './interaction-ask.ts';
import { everyKind, kindRows, marker } from './kind-rows.ts';
import {
  askOne,
  assertDescribed,
  finishAll,
  keyRing,
  listOne,
  makeAll,
  readOne,
  whileProcessing,
} from './made-resource.ts';
import type { GatewayWorld } from './gateway-world.ts';

const commonNames = [
  'id',
  'object',
  'request_id',
  'status',
  'model',
  'display_name',
  'charged_credits',
  'reserved_credits',
  'error_code',
  'created_at',
  'updated_at',
  'completed_at',
  'expires_at',
  'result',
] as const;

const deferredRows = kindRows.filter(({ deferred }) => deferred);

const balanceMicros = async (world: GatewayWorld): Promise<bigint> =>
  (await world.wallet.read(world.accountId)).balanceMicros;

const credits = (micros: bigint): number => Number(micros) / 1_000_000;

const resultOf = (record: Json): unknown => record.at('result').value;

/** What the record of every kind says, while it is made and afterwards. */
export const resourceRecordCases: readonly GatewayCase[] = [
  gatewayCase(
    'creates every kind with 200 and its record, which the request of that id finds, too [resources:create:200] [resources:record:common] [resources:record:id-is-request-id]',
    async (world) => {
      const keys = keyRing(world);
      for (const row of kindRows) {
        const key = await keys(row.model);
        const answer = await world.send({ key, path: row.path, body: await row.body(world, key) });
        const record = assertDescribed(answer, 'POST', row.path);
        const names = record.keys();
        for (const name of commonNames) assert.ok(names.includes(name), `${row.kind} ${name}`);
        const id = record.at('id').text();
        // A store chooses the model of its vectors, and its documents have the same.
        const indexed = row.kind === 'store' || row.kind === 'document';
        const model = indexed ? record.at('model').text() : row.model;
        assert.deepEqual(
          ['object', 'request_id', 'status', 'model', 'charged_credits', 'error_code'].map(
            (name) => record.at(name).value,
          ),
          [row.kind, id, row.deferred ? 'reserved' : 'active', model, 0, null],
        );
        assert.equal((await world.record(id)).at('id').value, id);
        assert.equal(answer.headers.get('x-request-id'), id);
        assertDescribed(await world.send({ path: `${row.path}/${id}` }), 'GET', `${row.path}/{id}`);
      }
    },
    everyKind,
  ),
  gatewayCase(
    'repeats nothing in a record of the content that it was made of [resources:record:no-content]',
    async (world) => {
      const keys = keyRing(world);
      const made = await makeAll(world, keys);
      const look = async (): Promise<void> => {
        for (const one of made) {
          const texts = [
            JSON.stringify(one.created.value),
            (await askOne(world, one)).text,
            (await world.send({ path: one.row.path })).text,
            (await world.send({ path: `/requests/${one.id}` })).text,
          ];
          for (const text of texts) assert.ok(!text.includes(marker), `${one.row.kind}: ${text}`);
        }
      };
      await look();
      await finishAll(world, keys);
      await look();
    },
    everyKind,
  ),
  gatewayCase(
    'has no result before it is complete, and one as long as a function of the client is waited for [resources:record:result-when-complete]',
    async (world) => {
      const keys = keyRing(world);
      for (const row of deferredRows) {
        const one = await whileProcessing(world, keys, row, async (running) => {
          const record = await readOne(world, running);
          assert.deepEqual(
            [resultOf(running.created), record.at('status').value, resultOf(record), record.at('completed_at').value],
            [null, 'processing', null, null],
          );
        });
        const done = await readOne(world, one);
        assert.equal(done.at('status').value, row.usable);
        assert.notEqual(resultOf(done), null);
        assert.deepEqual((await listOne(world, row.path))[0]?.value, done.value);
      }
      for (const { row, created } of await finishAll(world, keys))
        if (!row.deferred) assert.deepEqual([row.usable, resultOf(created)], ['active', null]);
      const client = await interactionClient(world);
      scriptCalls(world, functionCall('look'));
      const waiting = await client.ended({ input: 'Look.', tools: [{ type: 'function', name: 'look' }] });
      const record = await client.get(waiting);
      assert.equal(record.at('status').value, 'requires_action');
      assert.equal(record.at('result', 'steps', 0, 'name').value, 'look');
    },
    everyKind,
  ),
  gatewayCase(
    'tells the credits of a complete one in its result, and they are what was debited [resources:record:result-credits]',
    async (world) => {
      const keys = keyRing(world);
      for (const row of deferredRows) {
        const before = await balanceMicros(world);
        const [one] = await finishAll(world, keys, [row]);
        assert.ok(one !== undefined);
        // A cache costs what it was stored for, so it is complete when its time is over.
        if (row.kind === 'cache') {
          world.time.advance(3_600_000);
          await world.runJobs();
        }
        const record = await readOne(world, one);
        const debited = credits(before - (await balanceMicros(world)));
        assert.ok(debited > 0, row.kind);
        assert.deepEqual(record.at('result', 'service').value, {
          request_id: one.id,
          project_id: world.projectId,
          credits: debited,
        });
        assert.equal(record.at('charged_credits').value, debited);
      }
    },
    everyKind,
  ),
  gatewayCase(
    'is found whole as the response of its request [requests:record:response-other-kinds]',
    async (world) => {
      const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
      const keys = keyRing(world);
      const embedder = await keys('embedding-001');
      for (const ask of [
        { path: `/models/flash-2.5:generateContent`, body: { contents } },
        { path: '/embeddings', key: embedder, body: { input: 'Hello' } },
      ]) {
        const answer = await world.send(ask);
        const record = await world.record(answer.headers.get('x-request-id') ?? '');
        assert.deepEqual(record.at('response').value, okJson(answer).value);
      }
      for (const one of await finishAll(world, keys)) {
        if (one.row.kind === 'cache') {
          assert.equal((await world.record(one.id)).at('response').value, null);
          world.time.advance(3_600_000);
          await world.runJobs();
        }
        const request = await world.record(one.id);
        assert.equal(request.at('status').value, 'completed');
        assert.deepEqual(request.at('response').value, (await readOne(world, one)).value);
      }
    },
    everyKind,
  ),
  gatewayCase(
    'returns every documented status of the routes that create [resources:errors:statuses]',
    async (world) => {
      const keys = keyRing(world);
      const poorProject = await world.createProject(await world.createAccount(0n));
      const poorKeys = keyRing(world, poorProject);
      for (const row of kindRows) {
        const own = routes.filter(({ path }) => path === row.path || path.startsWith(`${row.path}/`));
        const documented = new Set<number>(own.flatMap(({ statuses }) => [...statuses]));
        for (const status of [401, 402, 404, 409, 422, 503]) assert.ok(documented.has(status), `${row.path} ${status}`);
        const key = await keys(row.model);
        const body = await row.body(world, key);
        const ask = { key, path: row.path, body };
        const statuses = [
          (await world.send({ ...ask, key: 'nobody' })).status,
          (await world.send({ ...ask, body: { ...body, surprise: 1 } })).status,
          (await world.send({ key, path: `${row.path}/${world.projectId}` })).status,
        ];
        assert.deepEqual(statuses, [401, 422, 404], row.kind);
        const headers = { 'idempotency-key': `once-${row.kind}` };
        okJson(await world.send({ ...ask, headers }));
        assert.equal((await world.send({ ...ask, headers, body: `${JSON.stringify(body)} ` })).status, 409, row.kind);
        const poor = await poorKeys(row.model);
        const cost = await world.send({ ...ask, key: poor, body: await row.body(world, poor) });
        assert.equal(cost.status, row.deferred ? 402 : 200, cost.text);
      }
    },
    everyKind,
  ),
  gatewayCase(
    'knows the states of the contract, of which each kind has its own [resources:states:vocabulary]',
    async () => {
      assert.deepEqual(resourceStates, [
        'preparing',
        'reserved',
        'processing',
        'active',
        'cancelling',
        'settling',
        'requires_action',
        'completed',
        'uncertain',
        'failed',
        'expired',
        'deleted',
      ]);
      assert.deepEqual(Object.keys(statesByKind).toSorted(), ['file', 'live', ...resourceKinds].toSorted());
      assert.deepEqual(new Set(Object.values(statesByKind).flat()), new Set(resourceStates));
      return Promise.resolve();
    },
  ),
];
