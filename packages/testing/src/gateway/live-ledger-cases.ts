import assert from 'node:assert/strict';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import {
  accessFrame,
  liveClient,
  liveModel,
  nextJson,
  poorClient,
  holdState,
  timeTariff,
  until,
  type LiveClient,
} from './live-ask.ts';

const reservedMicros = async (world: GatewayWorld, accountId: string): Promise<bigint> =>
  (await world.wallet.read(accountId)).reservedMicros;

/** Goes on until a session has been open for so long, and waits until that is noted. */
const passTime = async (world: GatewayWorld, { projectId }: LiveClient, seconds: number): Promise<void> => {
  world.time.advance(15_000);
  await until(`${seconds} seconds are noted`, async () => {
    const [operation] = await world.admin.listOperations({ kind: 'project', projectId });
    return operation?.usage?.some(({ unit, quantity }) => unit === 'session_seconds' && quantity === seconds) === true;
  });
};

/** The credits of sessions. */
export const liveLedgerCases: readonly GatewayCase[] = [
  gatewayCase(
    'is reserved, processing while it is open, and completed after it [live:requests:query] [live:settle:at-end] [ledger:charged:live-content]',
    async (world) => {
      const client = await liveClient(world);
      const access = await client.created();
      const id = access.at('id').text();
      assert.equal((await client.record(id)).at('status').value, 'reserved');
      const socket = await world.socket();
      socket.send(accessFrame(access));
      await nextJson(socket);
      assert.equal((await client.record(id)).at('status').value, 'processing');
      const upstream = world.provider.live.sessions.at(-1);
      assert.ok(upstream !== undefined);
      upstream.use({ input_text_tokens: 100, output_text_tokens: 10 });
      upstream.use({ input_text_tokens: 200, output_text_tokens: 20 });
      socket.close();
      assert.deepEqual(holdState(await client.ended(id)), ['completed', 0.36, 0, null]);
      assert.equal(await reservedMicros(world, client.accountId), 0n);
      assert.ok(upstream.isClosed());
      assert.equal((await client.record(id)).at('response').value, null);
    },
  ),
  gatewayCase('costs nothing where nothing was used', async (world) => {
    const client = await liveClient(world);
    const { socket, id } = await client.open();
    socket.drop();
    assert.deepEqual(holdState(await client.ended(id)), ['completed', 0, 0, null]);
  }),
  gatewayCase('renews the hold ahead of use, turn by turn [live:reservation:renewed]', async (world) => {
    const client = await liveClient(world);
    const { socket, upstream, id } = await client.open();
    const first = (await client.record(id)).at('reserved_credits').number();
    for (let used = 1; used <= 4; used += 1) {
      upstream.use({ input_text_tokens: 4_000 });
      const turns = used;
      await until('the hold covers another turn', async () => {
        const held = (await client.record(id)).at('reserved_credits').number();
        return held >= turns * 4 + 4;
      });
    }
    assert.ok((await client.record(id)).at('reserved_credits').number() > first);
    socket.close();
    assert.deepEqual(holdState(await client.ended(id)), ['completed', 16, 0, null]);
  }),
  gatewayCase(
    'sends a goAway frame and closes with 4402 when the balance runs out [live:close:insufficient]',
    async (world) => {
      const client = await poorClient(world, 9_000_000n);
      const { socket, upstream, id } = await client.open();
      upstream.use({ input_text_tokens: 5_000 });
      const goAway = await nextJson(socket);
      assert.deepEqual(goAway.at('goAway').value, { timeLeft: '0s' });
      assert.equal(goAway.at('error', 'code').value, 'ai_insufficient_credits');
      assert.equal(await socket.closed, 4402);
      assert.deepEqual(holdState(await client.ended(id)), ['completed', 5, 0, null]);
    },
  ),
  gatewayCase(
    'renews the hold for the time that passes without a word, where time has a price [live:reservation:renewed]',
    async (world) => {
      const client = await liveClient(world);
      const { socket, id } = await client.open();
      for (const seconds of [15, 30, 45, 60]) {
        await passTime(world, client, seconds);
        assert.ok((await client.record(id)).at('reserved_credits').number() >= seconds + 30);
      }
      socket.close();
      assert.deepEqual(holdState(await client.ended(id)), ['completed', 60, 0, null]);
    },
    { tariff: timeTariff },
  ),
  gatewayCase(
    'closes with 4402 before the time that passes costs more than there is [live:close:insufficient] [live:reservation:renewed]',
    async (world) => {
      const client = await poorClient(world, 70_000_000n);
      const { socket, id } = await client.open();
      for (const seconds of [15, 30]) await passTime(world, client, seconds);
      world.time.advance(15_000);
      assert.equal(await socket.closed, 4402);
      assert.deepEqual(holdState(await client.ended(id)), ['completed', 45, 0, null]);
      assert.equal(await reservedMicros(world, client.accountId), 0n);
    },
    { tariff: timeTariff },
  ),
  gatewayCase(
    'charges a second that was begun as a whole one',
    async (world) => {
      const client = await liveClient(world);
      const { socket, id } = await client.open();
      await passTime(world, client, 15);
      world.time.advance(1);
      socket.close();
      assert.deepEqual(holdState(await client.ended(id)), ['completed', 16, 0, null]);
    },
    { tariff: timeTariff },
  ),
  gatewayCase(
    'counts the time until the client is out, and not what the upstream takes for its last word',
    async (world) => {
      const client = await liveClient(world);
      const { socket, upstream, id } = await client.open();
      await passTime(world, client, 15);
      upstream.lastWord = null;
      socket.drop();
      await until('the upstream is asked to end', () => upstream.isClosed());
      world.time.advance(9_000);
      upstream.end({ cause: 'ended', measured: true });
      assert.deepEqual(holdState(await client.ended(id)), ['completed', 15, 0, null]);
    },
    { tariff: timeTariff },
  ),
  gatewayCase(
    'stays uncertain with its hold where the upstream is lost without a measure [live:settle:drop-uncertain]',
    async (world) => {
      const client = await liveClient(world);
      const { socket, upstream, id } = await client.open();
      upstream.use({ input_text_tokens: 100 });
      upstream.end({ cause: 'lost', measured: false });
      assert.equal(await socket.closed, 1011);
      const record = await client.ended(id);
      assert.deepEqual(holdState(record).slice(0, 2), ['uncertain', 0]);
      assert.ok((await reservedMicros(world, client.accountId)) > 0n);
      const resolved = await world.admin.resolveOperation(id, { executed: true, amountMicros: 100_000n });
      assert.equal(resolved.kind, 'resolved');
    },
  ),
  gatewayCase('stays uncertain where the client leaves and the upstream has no last word', async (world) => {
    const client = await liveClient(world);
    const { socket, upstream, id } = await client.open();
    upstream.lastWord = null;
    socket.drop();
    await until('the upstream is asked to end', () => upstream.isClosed());
    assert.equal((await client.record(id)).at('status').value, 'processing');
    world.time.advance(10_000);
    assert.equal((await client.ended(id)).at('status').value, 'uncertain');
  }),
  gatewayCase('settles the measure of a turn that ends after the client has left', async (world) => {
    const client = await liveClient(world);
    const { socket, upstream, id } = await client.open();
    upstream.lastWord = null;
    socket.drop();
    await until('the upstream is asked to end', () => upstream.isClosed());
    upstream.use({ input_text_tokens: 1_000 });
    upstream.end({ cause: 'ended', measured: true });
    assert.deepEqual(holdState(await client.ended(id)), ['completed', 1, 0, null]);
  }),
  gatewayCase('fails and is free where no socket ever came [live:requests:never-connected]', async (world) => {
    const client = await liveClient(world);
    const id = (await client.created()).at('id').text();
    await world.runJobs();
    assert.equal((await client.record(id)).at('status').value, 'reserved');
    world.time.advance(60_000);
    await world.runJobs();
    assert.deepEqual(holdState(await client.record(id)), ['failed', 0, 0, 'request_cancelled']);
    assert.equal(await reservedMicros(world, client.accountId), 0n);
  }),
  gatewayCase('fails and is free where the upstream was certainly not opened', async (world) => {
    const client = await liveClient(world);
    world.provider.live.script('not_executed');
    const access = await client.created();
    const socket = await world.socket();
    socket.send(accessFrame(access));
    assert.equal(await socket.closed, 1011);
    const record = await client.ended(access.at('id').text());
    assert.deepEqual(holdState(record), ['failed', 0, 0, 'service_unavailable']);
  }),
  gatewayCase('stays uncertain where it is unknown whether the upstream was opened', async (world) => {
    const client = await liveClient(world);
    world.provider.live.script('unknown');
    const access = await client.created();
    const socket = await world.socket();
    socket.send(accessFrame(access));
    assert.equal(await socket.closed, 1011);
    assert.equal((await client.ended(access.at('id').text())).at('status').value, 'uncertain');
  }),
  gatewayCase('gives up an upstream that does not open in time', async (world) => {
    const client = await liveClient(world);
    world.provider.live.script('hangs');
    const access = await client.created();
    const socket = await world.socket();
    socket.send(accessFrame(access));
    const id = access.at('id').text();
    await until('the access is taken', async () => (await client.record(id)).at('status').value === 'processing');
    let closed = false;
    socket.onClose(() => {
      closed = true;
    });
    await until('the socket is closed', () => {
      world.time.advance(15_000);
      return closed;
    });
    assert.equal(await socket.closed, 1011);
    assert.deepEqual(holdState(await client.ended(id)), ['failed', 0, 0, 'request_cancelled']);
  }),
  gatewayCase('closes an upstream that opens when its session has ended', async (world) => {
    const client = await liveClient(world);
    world.provider.live.script('late');
    const access = await client.created();
    const socket = await world.socket();
    socket.send(accessFrame(access));
    const id = access.at('id').text();
    await until('the access is taken', async () => (await client.record(id)).at('status').value === 'processing');
    socket.drop();
    await until('the session has ended', async () => {
      world.time.advance(10_000);
      return (await client.record(id)).at('status').value === 'uncertain';
    });
    world.provider.live.openLate();
    await until('the upstream is closed', () => world.provider.live.sessions.at(-1)?.isClosed() === true);
  }),
  gatewayCase('is uncertain with what was noted of it when its process is gone', async (world) => {
    const client = await liveClient(world);
    const { socket, upstream, id } = await client.open();
    upstream.use({ input_text_tokens: 700 });
    const noted = async (): Promise<boolean> =>
      (await world.admin.listOperations({ kind: 'project', projectId: client.projectId })).some(
        ({ usage }) => usage?.some(({ quantity }) => quantity === 700) === true,
      );
    await until('the turn is noted', noted);
    // No process renews the lease any more.
    world.time.advance(120_000);
    await world.runJobs();
    assert.equal((await client.record(id)).at('status').value, 'uncertain');
    assert.ok(await noted());
    // Late truth wins.
    socket.close();
    await until('it is settled', async () => (await client.record(id)).at('status').value === 'completed');
    assert.equal((await client.record(id)).at('charged_credits').value, 0.7);
  }),
  gatewayCase('cuts off a client whose upstream takes nothing in', async (world) => {
    const client = await liveClient(world);
    const { socket, upstream, id } = await client.open();
    upstream.waitingBytes = 1_048_576;
    socket.send(JSON.stringify({ realtimeInput: { text: 'x' } }));
    assert.equal(await socket.closed, 1011);
    assert.deepEqual(upstream.heard, []);
    await client.ended(id);
  }),
  gatewayCase('reaches resources of its own project only', async (world) => {
    const client = await liveClient(world);
    const id = (await client.created()).at('id').text();
    const other = await world.createCaller({
      projectId: await world.createProject(world.accountId),
      model: liveModel,
    });
    assert.equal((await world.send({ key: other.key, path: `/requests/${id}` })).status, 404);
  }),
];
