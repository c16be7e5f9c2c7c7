// One gateway before three upstreams on real sockets, of which one after another dies: every story asserts.
import assert from 'node:assert/strict';
import { failuresMax, manyProviders, type Upstreams } from './providers.ts';
import { startGateway, type StartedGateway } from './start-gateway.ts';
import { startUpstream } from './start-upstream.ts';

interface World {
  readonly upstreams: Upstreams;
  readonly gateway: StartedGateway;
}

/** Who was asked for the operation, in order, and how it went. */
const attemptsOf = async ({ gateway }: World, requestId: string): Promise<readonly string[]> => {
  const operation = await gateway.admin.readOperation(requestId);
  return (operation?.attempts ?? []).map(({ provider, outcome }) => `${provider} ${outcome}`);
};

const firstChoice = async (world: World): Promise<void> => {
  const { status, body, requestId } = await world.gateway.chat();
  assert.equal(status, 200);
  assert.match(body, /This is cheap\./);
  assert.deepEqual(await attemptsOf(world, requestId), ['cheap answered']);
};

/** A first choice that is busy certainly ran nothing, so that another provider may run it. */
const fallback = async (world: World): Promise<void> => {
  world.upstreams.cheap.behave('busy');
  const { status, body, requestId } = await world.gateway.chat();
  assert.equal(status, 200);
  assert.match(body, /This is large\./);
  assert.deepEqual(await attemptsOf(world, requestId), ['cheap refused', 'large answered']);
};

/** A first choice that is dead is asked until there were failures enough, and then left alone. */
const circuit = async (world: World): Promise<void> => {
  await world.upstreams.cheap.die();
  // The busy answer before was the first failure.
  for (let failures = 1; failures < failuresMax; failures += 1) {
    const { requestId } = await world.gateway.chat();
    assert.equal((await attemptsOf(world, requestId))[0], 'cheap not_sent');
  }
  const { requestId } = await world.gateway.chat();
  assert.deepEqual(await attemptsOf(world, requestId), ['large answered']);
};

const share = async ({ upstreams, gateway }: World): Promise<void> => {
  const { large, small } = upstreams;
  const before = [large.count(), small.count()] as const;
  for (let count = 0; count < 6; count += 1) assert.equal((await gateway.chat()).status, 200);
  assert.deepEqual([large.count() - before[0], small.count() - before[1]], [4, 2]);
};

/** An answer that is lost may have been made: no other provider is asked, and the hold is kept until the outcome is known. */
const lost = async (world: World): Promise<void> => {
  const { large, small } = world.upstreams;
  const before = large.count() + small.count();
  for (const upstream of [large, small]) upstream.behave('cut');
  const { status, requestId } = await world.gateway.chat();
  assert.deepEqual([status, large.count() + small.count() - before], [502, 1]);
  assert.equal((await world.gateway.admin.readOperation(requestId))?.state, 'uncertain');
  for (const upstream of [large, small]) upstream.behave('answer');
};

const oneIsLeft = async (world: World): Promise<void> => {
  await world.upstreams.large.die();
  for (let count = 0; count < 3; count += 1) assert.match((await world.gateway.chat()).body, /This is small\./);
};

/** Where no provider runs anything, nothing is charged, and the client learns when to retry. */
const nobodyIsLeft = async (world: World): Promise<void> => {
  await world.upstreams.small.die();
  const { status, requestId } = await world.gateway.chat();
  assert.equal(status, 503);
  assert.deepEqual((await attemptsOf(world, requestId)).toSorted(), ['large not_sent', 'small not_sent']);
  const operation = await world.gateway.admin.readOperation(requestId);
  assert.deepEqual([operation?.state, operation?.chargedMicros, operation?.holdMicros], ['failed', 0n, 0n]);
};

const upstreams: Upstreams = {
  cheap: await startUpstream('cheap'),
  large: await startUpstream('large'),
  small: await startUpstream('small'),
};
const gateway = await startGateway(manyProviders(upstreams));
try {
  for (const story of [firstChoice, fallback, circuit, share, lost, oneIsLeft, nobodyIsLeft]) {
    await story({ upstreams, gateway });
    console.log(`ok  ${story.name}`);
  }
  assert.deepEqual((await gateway.admin.audit()).violations, []);
} finally {
  await gateway.close();
  for (const upstream of [upstreams.cheap, upstreams.large, upstreams.small]) await upstream.die();
}
