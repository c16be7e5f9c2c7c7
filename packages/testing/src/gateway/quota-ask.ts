import assert from 'node:assert/strict';
import { assertRefused, type Answer } from './answer.ts';
import type { GatewayWorld } from './gateway-world.ts';

/** What the first project uses of its quotas. */
export const usedBy = async (world: GatewayWorld) => {
  const found = await world.admin.readProjectQuotas(world.projectId);
  assert.ok(found !== null, 'the project exists');
  return found.used;
};

/** Asserts that of so many attempts at once exactly so many were let in, and that the others name the quota. */
export const assertExactly = (answers: readonly Answer[], allowed: number, quota: string, limit = allowed): void => {
  const refused = answers.filter(({ status }) => status !== 200 && status !== 201);
  assert.equal(answers.length - refused.length, allowed);
  for (const answer of refused) {
    const error = assertRefused(answer, 429, 'quota_exceeded');
    assert.ok(error.at('message').text().includes(`The quota ${quota} of this project`));
    assert.ok(error.at('message').text().includes(`of ${limit} in use`));
    assert.equal(error.at('request_id').value, undefined);
    assert.equal(answer.headers.get('x-should-retry'), 'false');
  }
};

export const atOnce = (count: number, ask: (place: number) => Promise<Answer>): Promise<readonly Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, place) => ask(place)));
