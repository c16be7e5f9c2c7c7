import assert from 'node:assert/strict';
import type { GenerationCall } from '@tollgate/provider';
import { assertRefused, okJson, type Answer } from './answer.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';

export const helloContent = { role: 'user', parts: [{ text: 'Hello' }] } as const;

/** The smallest body of generateContent. */
export const helloBody = { contents: [helloContent] } as const;

/** A body of one user turn made of these parts. */
export const ofTurn = (...parts: readonly unknown[]) => ({ contents: [{ role: 'user', parts }] });

export const configured = (generationConfig: unknown) => ({ ...helloBody, generationConfig });

type More = Omit<Ask, 'path' | 'body'> & { readonly model?: string };

/** Asks the unary route with the caller's key. */
export const generate = (world: GatewayWorld, body: unknown = helloBody, more: More = {}): Promise<Answer> => {
  const { model = suiteModel, ...rest } = more;
  return world.send({ ...rest, path: `/models/${model}:generateContent`, body });
};

/** Asks the streaming route and reads the stream to its end. */
export const streamGenerate = (
  world: GatewayWorld,
  body: unknown = helloBody,
  more: Omit<Ask, 'path' | 'body'> & { readonly query?: string } = {},
): Promise<Answer> => {
  const { query = '', ...rest } = more;
  return world.send({ ...rest, path: `/models/${suiteModel}:streamGenerateContent${query}`, body });
};

/** Asserts that each body is refused with 422 and the code, and that none of them reached the provider or a wallet. */
export const assertContentRefused = async (
  world: GatewayWorld,
  code: string,
  bodies: readonly unknown[],
): Promise<void> => {
  const calls = world.provider.calls.length;
  for (const body of bodies) {
    const error = assertRefused(await generate(world, body), 422, code);
    assert.equal(error.at('request_id').value, undefined);
  }
  assert.equal(world.provider.calls.length, calls, 'a refused body reached the provider');
};

/** Has each body answered. */
export const assertContentTaken = async (world: GatewayWorld, bodies: readonly unknown[]): Promise<void> => {
  for (const body of bodies) okJson(await generate(world, body));
};

/** What the provider was last asked. */
export const lastCall = (world: GatewayWorld): GenerationCall => {
  const last = world.provider.calls.at(-1)?.call;
  assert.ok(last !== undefined, 'nothing reached the provider');
  return last;
};

/** The parts of the last turn that the provider was asked. */
export const lastParts = (world: GatewayWorld) => lastCall(world).contents.at(-1)?.parts ?? [];
