import assert from 'node:assert/strict';
import type { VideoCall } from '@tollgate/provider';
import { jsonOf, okJson, type Answer, type Json } from './answer.ts';
import type { Ask, Caller, GatewayWorld } from './gateway-world.ts';
import { suiteRow } from './suite-tariff.ts';

/** A model of videos of the default catalog that makes 4k, and one that does not. */
export const videoModel = 'video-3.1-generate-preview';
export const liteVideoModel = 'video-3.1-lite-generate-preview';

export const videoBody = { prompt: 'A lighthouse in a storm.' } as const;

/** What a video of eight seconds costs in the suite's tariff. */
export const videoMicros = 8_000_000n;

type More = Omit<Ask, 'path' | 'body'>;

/** Asks with a key that is bound to a model of videos. */
export interface VideoClient extends Caller {
  readonly create: (body?: unknown, more?: More) => Promise<Answer>;
  /** The id of a video that was created just now. */
  readonly created: (body?: unknown) => Promise<string>;
  /** The id of a video that is completed. */
  readonly completed: (body?: unknown) => Promise<string>;
  readonly get: (id: string) => Promise<Json>;
  readonly remove: (id: string, more?: More) => Promise<Answer>;
  /** A download, whose body is still to be read. */
  readonly content: (id: string, more?: More & { readonly query?: string }) => Promise<Response>;
  /** What the provider was handed last. */
  readonly handed: () => VideoCall;
}

/** Far enough for every pause between two questions to be over. */
const pollPauseMs = 60_000;

/** Does what is due until nothing changes by it any more: hands over, asks, copies, settles. */
export const workThrough = async (world: GatewayWorld, rounds = 3): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    await world.runJobs();
    world.time.advance(pollPauseMs);
  }
};

export const videoClient = async (world: GatewayWorld, model: string = videoModel): Promise<VideoClient> => {
  const caller = await world.createCaller({ projectId: world.projectId, model });
  const { key } = caller;
  const create: VideoClient['create'] = (body = videoBody, more = {}) =>
    world.send({ key, ...more, path: '/videos', body });
  const created = async (body?: unknown): Promise<string> =>
    okJson(await create(body))
      .at('id')
      .text();
  const get = async (id: string): Promise<Json> => okJson(await world.send({ key, path: `/videos/${id}` }));
  return {
    ...caller,
    create,
    created,
    completed: async (body) => {
      const id = await created(body);
      await workThrough(world);
      assert.equal((await get(id)).at('status').value, 'completed');
      return id;
    },
    get,
    remove: (id, more = {}) => world.send({ key, ...more, method: 'DELETE', path: `/videos/${id}` }),
    content: (id, { query = '', ...more } = {}) => world.open({ key, ...more, path: `/videos/${id}/content${query}` }),
    handed: () => {
      const call = world.provider.videoCalls.at(-1)?.call;
      assert.ok(call !== undefined, 'nothing was handed to the provider');
      return call;
    },
  };
};

/** The error in the body of a download that was refused. */
export const assertNoContent = async (response: Response, status: number, code: string): Promise<void> => {
  assert.deepEqual([response.status, jsonOf(await response.json()).at('error', 'code').value], [status, code]);
};

/** Models of the suite's own, whose videos cannot be continued by one another. */
export const videoRow = (id: string, line: string) =>
  suiteRow({
    id,
    family: 'video',
    routes: ['videos'],
    capabilities: ['video_generation', 'image_input'],
    video: { resolutions: ['720p'], aspectRatioDefault: '16:9', durationSecondsDefault: 8, line },
  });
