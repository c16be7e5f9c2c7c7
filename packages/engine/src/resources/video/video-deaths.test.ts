import type { Storage } from '@tollgate/storage';
import {
  createFaultyStorage,
  scriptedProvider,
  scriptedVideoBytes,
  type ScriptedProvider,
} from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { breathe, createEngineWorld, type EngineWorld } from '../../../test/engine-world.ts';
import { createEngine } from '../../create-engine.ts';
import type { Engine } from '../../engine.ts';
import { storePendingBlob } from '../../operations/pending-blobs.ts';
import { createResource } from '../create-resource.ts';
import { findResource } from '../find-resource.ts';
import { parseTariff } from '../../ledger/tariff.ts';
import { keptMedia } from './kept-media.ts';
import { videoKind, videoOrderKeptMs } from './video-kind.ts';
import { openVideo, videoWork, type VideoOrder } from './video-work.ts';
import { giveKinds, sweep } from '../../../test/process-parts.ts';

const tariff = parseTariff({ version: 'v1', models: { model: { perMillion: { video_seconds: '1' } } } });

const imageKey = 'media/image';
const image = { kind: 'blob', mimeType: 'image/png', sizeBytes: 5, blobKey: imageKey } as const;

const order: VideoOrder = {
  prompt: 'A harbour.',
  image,
  lastFrame: null,
  references: [],
  extends: null,
  durationSeconds: 8,
  resolution: null,
  aspectRatio: null,
  negativePrompt: null,
  seed: null,
};

async function* imageBytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('image');
}

/** The storage, with the keys of all blobs that lie in it. */
const withKeys = (storage: Storage): { readonly storage: Storage; readonly keys: Set<string> } => {
  const keys = new Set<string>();
  const { blobs } = storage;
  const watched: Storage['blobs'] = {
    ...blobs,
    putStream: async (key, chunks) => {
      const size = await blobs.putStream(key, chunks);
      keys.add(key);
      return size;
    },
    delete: async (key) => {
      await blobs.delete(key);
      keys.delete(key);
    },
  };
  return { storage: { ...storage, blobs: watched }, keys };
};

/** What a process does to the storage before it dies: so many calls, and the last one takes effect or does not. */
interface Death {
  readonly afterCalls: number;
  readonly last: 'lost' | 'unanswered';
}

interface Scene {
  readonly world: EngineWorld;
  readonly provider: ScriptedProvider;
  readonly id: string;
  readonly keys: ReadonlySet<string>;
  /** Another process; returns how many calls it has made. */
  readonly process: (death?: Death) => { readonly engine: Engine; readonly calls: () => number };
}

const register = (engine: Engine, provider: ScriptedProvider): void =>
  giveKinds(
    engine,
    videoKind({
      engine,
      findRoute: () => ({ provider, upstreamModel: 'upstream' }),
      contentUrl: (id, index) => `/videos/${id}/${index}`,
    }),
  );

const openScene = async (): Promise<Scene> => {
  const world = await createEngineWorld(100n, { tariff });
  const { storage, keys } = withKeys(world.storage);
  const provider = scriptedProvider({ now: world.clock.now });
  provider.scriptPolls({ kind: 'answer', jobProgress: { kind: 'running', afterMs: 1_000 } });
  const process: Scene['process'] = (death) => {
    let calls = 0;
    const before = () => {
      calls += 1;
      if (death === undefined || calls < death.afterCalls) return { kind: 'none' } as const;
      return { kind: calls === death.afterCalls ? death.last : 'lost' } as const;
    };
    const { newId, clock, logger, limits } = world.engine;
    const faulty = createFaultyStorage(storage, { before });
    const engine = createEngine({ storage: faulty, tariff, newId, ...clock, logger, limits });
    register(engine, provider);
    return { engine, calls: () => calls };
  };
  const front = process().engine;
  await storePendingBlob(front, imageKey, imageBytes());
  const created = await createResource(front, {
    access: { keyId: world.keyId, projectId: world.projectId, accountId: world.accountId },
    kind: 'video',
    model: 'model',
    identity: null,
    fingerprint: 'body',
    estimate: [{ unit: 'video_seconds', quantity: 8 }],
    refusal: null,
    draft: openVideo(order, { duration_seconds: 8 }),
    uses: [],
    guard: { blobKeys: [imageKey], keptMs: videoOrderKeptMs },
  });
  if (created.kind !== 'created') throw new Error(`refused: ${created.code}`);
  return { world, provider, id: created.found.operation.id, keys, process };
};

/** Works for as long as there is something to do; a dead process does not block the others. */
const workFor = async ({ world }: Scene, engine: Engine, rounds: number): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    void sweep(engine).catch(() => undefined);
    for (let breath = 0; breath < 25; breath += 1) await breathe();
    await world.clock.advance(3_000);
  }
};

const find = async ({ world, id }: Scene) => {
  const found = await findResource(world.engine, world.projectId, 'video', id);
  if (found === null) throw new Error('the video is gone');
  return found;
};

/** The next process takes over what the first left behind, and later clears away ownerless blobs. */
const takeOver = async (scene: Scene): Promise<void> => {
  const { engine } = scene.process();
  await scene.world.clock.advance(engine.limits.leaseMs + 1);
  await workFor(scene, engine, 6);
  await scene.world.clock.advance(2 * engine.limits.pendingBlobMs);
  await workFor(scene, engine, 1);
};

const assertWhole = async (scene: Scene): Promise<'completed' | 'uncertain'> => {
  const { world, provider, keys } = scene;
  const { operation, resource, result } = await find(scene);
  expect(provider.videoCalls.length).toBeLessThanOrEqual(1);
  const audit = await world.admin.audit();
  expect([audit.violations, audit.busy]).toEqual([[], []]);
  const records = await world.storage.read([{ table: 'wallet', id: world.accountId }]);
  const wallet = records.get('wallet', world.accountId);
  if (operation.state === 'uncertain') {
    // Whether it was handed over cannot be known, and it is not submitted again.
    expect(videoWork(resource.work)?.phase).toBe('submitting');
    expect([wallet?.balanceMicros, wallet?.reservedMicros]).toEqual([100n, 8n]);
    return 'uncertain';
  }
  expect([operation.state, operation.chargedMicros]).toEqual(['completed', 8n]);
  expect([wallet?.balanceMicros, wallet?.reservedMicros]).toEqual([92n, 0n]);
  expect(JSON.parse(result ?? 'null')).toMatchObject({ videos: [{ index: 0, mime_type: 'video/mp4' }] });
  const [medium] = keptMedia(resource);
  const bytes = await world.storage.blobs.get(medium?.blobKey ?? '');
  expect(Buffer.from(bytes ?? []).equals(Buffer.from(scriptedVideoBytes))).toBe(true);
  // Nothing else lies around: no second copy. The order's image may wait for the sweep, and is guarded until then.
  expect([...keys].filter((key) => key !== imageKey)).toEqual([medium?.blobKey]);
  return 'completed';
};

test('makes one video, charges it once and leaves nothing behind, wherever its worker dies', async () => {
  const clean = await openScene();
  const whole = clean.process();
  await workFor(clean, whole.engine, 6);
  expect(await assertWhole(clean)).toBe('completed');
  expect(clean.keys.has(imageKey)).toBe(false);
  const ends = new Map<string, number>();
  for (let afterCalls = 1; afterCalls <= whole.calls(); afterCalls += 1)
    for (const last of ['lost', 'unanswered'] as const) {
      const scene = await openScene();
      await workFor(scene, scene.process({ afterCalls, last }).engine, 6);
      await takeOver(scene);
      const end = await assertWhole(scene);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
  // Most deaths are survived; only those between the submission and its confirmation have an unknown outcome.
  expect(ends.get('completed')).toBeGreaterThan(60);
  expect(ends.get('uncertain')).toBeGreaterThan(0);
  expect(ends.get('uncertain')).toBeLessThan(10);
});

test('copies a video again where the copy broke off, and keeps one of them', async () => {
  const scene = await openScene();
  let copies = 0;
  async function* breaking(): AsyncGenerator<Uint8Array> {
    copies += 1;
    yield scriptedVideoBytes.subarray(0, 1_000);
    if (copies < 3) throw new Error('the upstream broke off');
    yield scriptedVideoBytes.subarray(1_000);
  }
  const video = { mimeType: 'video/mp4', read: breaking, reference: null };
  const answer = { kind: 'answer', videos: { videos: [video] } } as const;
  scene.provider.scriptPolls(answer, answer, answer);
  const { engine } = scene.process();
  await workFor(scene, engine, 10);
  expect(await assertWhole(scene)).toBe('completed');
  expect(copies).toBe(3);
});

async function* standsStill(): AsyncGenerator<Uint8Array> {
  yield scriptedVideoBytes.subarray(0, 10);
  await new Promise(() => {});
}

test('gives up a copy that stands still, and tries again', async () => {
  const scene = await openScene();
  const stuck = { mimeType: 'video/mp4', reference: null, read: standsStill };
  scene.provider.scriptPolls({ kind: 'answer', videos: { videos: [stuck] } });
  const { engine } = scene.process();
  await workFor(scene, engine, 3);
  expect((await find(scene)).operation.state).toBe('processing');
  await scene.world.clock.advance(900_000);
  await workFor(scene, engine, 4);
  expect(await assertWhole(scene)).toBe('completed');
});

test('leaves the copy of its successor alone when it lost the work', async () => {
  const scene = await openScene();
  const go = Promise.withResolvers<void>();
  const slow = {
    mimeType: 'video/mp4',
    reference: null,
    read: async function* read(): AsyncGenerator<Uint8Array> {
      yield scriptedVideoBytes.subarray(0, 10);
      await go.promise;
      throw new Error('the upstream broke off');
    },
  };
  scene.provider.scriptPolls({ kind: 'answer', videos: { videos: [slow] } });
  const first = scene.process();
  await workFor(scene, first.engine, 3);
  await takeOver(scene);
  go.resolve();
  await workFor(scene, scene.process().engine, 2);
  expect(await assertWhole(scene)).toBe('completed');
});
