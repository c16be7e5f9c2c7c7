import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonOf, requestIdOf, uuidPattern, type Answer } from './answer.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';

export const google = { compatibility: { google: true } } as const;

export type GoogleAsk = Partial<Ask> & { readonly credential?: string };

/** Asks as these clients do: with their own header for the key, by an alias of the path. */
export const askGoogle = (world: GatewayWorld, path: string, more: GoogleAsk = {}): Promise<Answer> => {
  const { credential = world.key, ...rest } = more;
  return world.send({
    key: null,
    path: `/v1beta${path}`,
    ...rest,
    headers: { 'x-goog-api-key': credential, ...rest.headers },
  });
};

export const keyOf = async (world: GatewayWorld, model: string | null): Promise<string> =>
  (await world.createCaller({ projectId: world.projectId, model })).key;

/** A key of another project of the same account. */
export const strangerOf = async (world: GatewayWorld, model: string | null): Promise<string> => {
  const projectId = await world.createProject(world.accountId);
  return (await world.createCaller({ projectId, model })).key;
};

/** Asserts an error in the form of these clients. */
export const assertTold = (answer: Answer, status: number, name: string, reason: string): void => {
  const error = jsonOf(JSON.parse(answer.text)).at('error');
  assert.equal(answer.status, status, answer.text);
  assert.deepEqual([error.at('code').value, error.at('status').value], [status, name]);
  assert.equal(error.at('details', 0, 'reason').value, reason);
  assert.match(requestIdOf(answer), uuidPattern);
};

/** Asserts a refusal whose message names the field, and that nothing was opened for it. */
export const assertRefusedField = (answer: Answer, field: string): void => {
  const error = jsonOf(JSON.parse(answer.text)).at('error');
  assert.deepEqual([answer.status, error.at('details', 0, 'request_id').value], [422, undefined], answer.text);
  assert.ok(error.at('message').text().includes(`field ${field} `), answer.text);
};

/** What a request resolves to while the workers of the gateway work. */
export const whileWorking = async <T>(world: GatewayWorld, asked: Promise<T>): Promise<T> => {
  const request = { isOver: false };
  const over = asked.finally(() => {
    request.isOver = true;
  });
  while (!request.isOver) {
    await world.runJobs();
    await nextTurn();
  }
  return over;
};
