import assert from 'node:assert/strict';
import type { FunctionCallPart, GenerationCall, InteractionCall } from '@tollgate/provider';
import { jsonOf, okJson, type Answer, type Json } from './answer.ts';
import type { Ask, Caller, GatewayWorld } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';
import { workThrough } from './video-ask.ts';

export const musicModel = 'music-3.5';
export const omniModel = 'omni-1.1-flash';
export const transcriptionModel = '3.5-transcribe';
export const agentModel = 'antigravity-preview-05-2026';
export const speechModel = 'flash-2.5-preview-tts';
export const imageModel = 'flash-2.5-image';

/** A world whose provider carries out interactions of models that do not generate text. */
export const withJobs = { interactionSteps: [] } as const;

export const nobody = '99999999-9999-4999-8999-999999999999';

type More = Omit<Ask, 'path' | 'body'>;

/** Asks for interactions with a key of its own. */
export interface InteractionClient extends Caller {
  readonly create: (body?: unknown, more?: More) => Promise<Answer>;
  /** The id of an interaction that was created just now. */
  readonly created: (body?: unknown) => Promise<string>;
  /** The id of an interaction that has ended. */
  readonly ended: (body?: unknown) => Promise<string>;
  readonly get: (id: string) => Promise<Json>;
  readonly cancel: (id: string, more?: More) => Promise<Answer>;
  readonly remove: (id: string, more?: More) => Promise<Answer>;
  /** A download, whose body is still to be read. */
  readonly content: (id: string, more?: More & { readonly query?: string }) => Promise<Response>;
  readonly createAgent: (body?: unknown, more?: More) => Promise<Answer>;
}

const interactionBody = { input: 'Tell me more.' } as const;

export const interactionClient = async (
  world: GatewayWorld,
  model: string = suiteModel,
  projectId: string = world.projectId,
): Promise<InteractionClient> => {
  const caller = await world.createCaller({ projectId, model });
  const { key } = caller;
  const create: InteractionClient['create'] = (body = interactionBody, more = {}) =>
    world.send({ key, ...more, path: '/interactions', body });
  const created = async (body?: unknown): Promise<string> =>
    okJson(await create(body))
      .at('id')
      .text();
  return {
    ...caller,
    create,
    created,
    ended: async (body) => {
      const id = await created(body);
      await workThrough(world);
      return id;
    },
    get: async (id) => okJson(await world.send({ key, path: `/interactions/${id}` })),
    cancel: (id, more = {}) => world.send({ key, ...more, method: 'POST', path: `/interactions/${id}/cancel` }),
    remove: (id, more = {}) => world.send({ key, ...more, method: 'DELETE', path: `/interactions/${id}` }),
    content: (id, { query = '', ...more } = {}) =>
      world.open({ key, ...more, path: `/interactions/${id}/content${query}` }),
    createAgent: (body = {}, more = {}) => world.send({ key, ...more, path: '/agents', body }),
  };
};

export const stepsOf = (record: Json): readonly Json[] => record.at('result', 'steps').list();

/** The content of the last step. */
export const outputOf = (record: Json): Json => (stepsOf(record).at(-1) ?? jsonOf(null)).at('content', 0);

/** A call that a model makes of a function. */
export const functionCall = (name: string, args: object = {}): FunctionCallPart => ({
  kind: 'function_call',
  id: `call_${name}`,
  name,
  arguments: JSON.stringify(args),
});

/** Lets the model call functions next. */
export const scriptCalls = (world: GatewayWorld, ...functionCalls: readonly FunctionCallPart[]): void =>
  world.provider.script({ kind: 'answer', generation: { text: '', functionCalls } });

export const lastCall = (world: GatewayWorld): GenerationCall => {
  const last = world.provider.calls.at(-1);
  assert.ok(last !== undefined, 'nothing was generated');
  return last.call;
};

export const lastJob = (world: GatewayWorld): InteractionCall => {
  const last = world.provider.interactionLog.started.at(-1);
  assert.ok(last !== undefined, 'no job was begun');
  return last;
};

const uuid = /^[0-9a-f-]{36}$/;

/** Asserts that an answer is the record of an interaction that was created. */
export const assertCreated = (answer: Answer): void => assert.match(okJson(answer).at('id').text(), uuid);
