import { identityNameOf } from './client-request.ts';
import type { FinalFacts } from './final-facts.ts';
import { readFinalFacts } from './final-facts.ts';
import { sendRequest } from './send-request.ts';
import { report } from './stage.ts';
import type { World } from './world.ts';

const day = 86_400_000;

const codeOf = (state: string): string => (state === 'completed' ? 'result_expired' : 'previous_request_failed');

const sweepAfter = async (world: World, days: number): Promise<void> => {
  const [life] = world.lives;
  if (life === undefined) throw new Error('a world has lives');
  world.clock.nowMs += days * day;
  // The first sweep settles what was waiting, the second one sees to what that has made due.
  await world.subject.sweep(life.engine);
  await world.subject.sweep(life.engine);
};

const checkPurged = async (world: World, { operations }: FinalFacts): Promise<void> => {
  const [life] = world.lives;
  if (life === undefined) throw new Error('a world has lives');
  for (const operation of operations.values()) {
    const { projectId, identity, id, state } = operation;
    if (operation.endedAtMs === null) continue;
    const found = await world.subject.findRequest(life.engine, projectId, id);
    if (found === null || found.body !== null) report(world, 'retention_keeps_the_record', id);
    if (identity === null) continue;
    const body = operation.fingerprint.includes('first') ? 'first' : 'second';
    const { told } = await sendRequest(world, life, { projectId, identity, body });
    const code = told.kind === 'outcome' && told.outcome.kind === 'refused' ? told.outcome.code : told.kind;
    if (code !== codeOf(state)) report(world, 'purged_is_never_executed', `${id}, ${state}, was answered ${code}`);
  }
};

/** Lets the answers' time pass, and looks that their identities still guard them; then that of the records. */
export const checkRetention = async (world: World): Promise<void> => {
  const executed = world.executions.length;
  const ended = await readFinalFacts(world);
  await sweepAfter(world, 8);
  await checkPurged(world, ended);
  if (world.executions.length !== executed) report(world, 'purged_is_never_executed', 'a repeat was executed');
  await sweepAfter(world, 90);
  const facts = await readFinalFacts(world);
  for (const { id, endedAtMs } of facts.operations.values())
    if (endedAtMs !== null) report(world, 'retention_ends', id);
  const names = new Set<string>();
  for (const { request } of world.executions) {
    const name = identityNameOf(request);
    if (name !== null && names.has(name)) report(world, 'one_execution_per_identity', name);
    if (name !== null) names.add(name);
  }
};
