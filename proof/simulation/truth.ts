import type { World } from './world.ts';

/** What an operator charges without a measure. */
const agreedMicros = 7n;

/**
 * What a careful operator finds out about an operation: what it cost, that it was never executed and never will be, or that
 * it is still open.
 */
export const truthOf = (world: World, operationId: string): bigint | 'not_executed' | 'open' => {
  const execution = world.executions.find((one) => one.operationId === operationId);
  if (execution !== undefined) {
    const { script, finished, request } = execution;
    if (script.ran) return script.kind === 'answers' && script.micros !== null ? script.micros : agreedMicros;
    return finished || !request.life.alive ? 'not_executed' : 'open';
  }
  const opener = world.registeredBy.get(operationId);
  if (opener?.alive !== true) return 'not_executed';
  // Another task of the process may still submit it.
  const waiting = world.requests.some((request) => request.life === opener && request.told.kind === 'nothing_yet');
  return waiting ? 'open' : 'not_executed';
};
