import assert from 'node:assert/strict';
import type { ScriptedLiveSession } from '../fakes/scripted-live.ts';
import { jsonOf, okJson, type Answer, type Json } from './answer.ts';
import type { Ask, Caller, GatewayWorld } from './gateway-world.ts';
import type { SuiteSocket } from './suite-socket.ts';
import { suiteTariff } from './suite-tariff.ts';

export const liveModel = 'flash-2.5-native-audio-latest';
export const musicModel = 'music-realtime-exp';

/** A session that writes: its first minute is held at 2 credits of input and 4.1 of output, and the words of its settings. */
export const liveBody = { config: { generationConfig: { responseModalities: ['TEXT'] } } } as const;

/** The suite's prices, with one for a second of music: 1 credit. */
export const musicTariff = {
  ...suiteTariff,
  models: { '*': { perMillion: { ...suiteTariff.models['*']?.perMillion, music_seconds: '1000000' } } },
};

/** Nothing but the time that a socket is open has a price: a second is 1 credit. */
export const timeTariff = {
  version: 'suite-time',
  models: {
    '*': {
      perMillion: {
        session_seconds: '1000000',
        input_text_tokens: '0',
        input_audio_tokens: '0',
        output_text_tokens: '0',
      },
    },
  },
};

type More = Omit<Ask, 'path' | 'body'>;

export interface Opened {
  readonly id: string;
  readonly socket: SuiteSocket;
  readonly upstream: ScriptedLiveSession;
}

/** Asks with a key that is bound to a model of sessions. */
export interface LiveClient extends Caller {
  readonly create: (body?: unknown, more?: More) => Promise<Answer>;
  readonly created: (body?: unknown) => Promise<Json>;
  /** An open session: `setupComplete` has come. */
  readonly open: (body?: unknown) => Promise<Opened>;
  readonly record: (id: string) => Promise<Json>;
  /** The record once no worker has it any more. */
  readonly ended: (id: string) => Promise<Json>;
}

/** The first frame of a socket. */
export const accessFrame = (access: Json): string =>
  JSON.stringify({ id: access.at('id').text(), access_key: access.at('access_key').text() });

const endStates = new Set(['completed', 'failed', 'uncertain']);

const turnsMax = 2_000;

/** Lets the event loop turn until something holds. */
export const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (let turn = 0; turn < turnsMax; turn += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.fail(`waited in vain until ${what}`);
};

export const liveClient = async (
  world: GatewayWorld,
  model: string = liveModel,
  projectId: string = world.projectId,
): Promise<LiveClient> => {
  const caller = await world.createCaller({ projectId, model });
  const { key } = caller;
  const create: LiveClient['create'] = (body = liveBody, more = {}) =>
    world.send({ key, ...more, path: '/live', body });
  const created: LiveClient['created'] = async (body) => okJson(await create(body));
  const record: LiveClient['record'] = async (id) => okJson(await world.send({ key, path: `/requests/${id}` }));
  return {
    ...caller,
    create,
    created,
    open: async (body) => {
      const access = await created(body);
      const socket = await world.socket();
      socket.send(accessFrame(access));
      assert.deepEqual(JSON.parse(await socket.next()), { setupComplete: {} });
      const upstream = world.provider.live.sessions.at(-1);
      assert.ok(upstream !== undefined, 'no session was opened');
      return { id: access.at('id').text(), socket, upstream };
    },
    record,
    ended: async (id) => {
      await until('the session has ended', async () => endStates.has((await record(id)).at('status').text()));
      return record(id);
    },
  };
};

/** What a record says of its end. */
export const holdState = (record: Json): readonly unknown[] =>
  ['status', 'charged_credits', 'reserved_credits', 'error_code'].map((name) => record.at(name).value);

/** A client of its own account, with so many credits. */
export const poorClient = async (world: GatewayWorld, amountMicros: bigint): Promise<LiveClient> => {
  const accountId = await world.createAccount(amountMicros);
  const projectId = await world.createProject(accountId);
  return liveClient(world, liveModel, projectId);
};

/** The next frame as JSON. */
export const nextJson = async (socket: SuiteSocket): Promise<Json> => jsonOf(JSON.parse(await socket.next()));
