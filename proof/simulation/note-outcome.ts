import type { OperationOutcome } from '@tollgate/engine';
import { fingerprintOf, type ClientRequest } from './client-request.ts';
import { report } from './stage.ts';
import type { World } from './world.ts';

/** Codes by which nothing may be registered. */
const unregistered = new Set(['ai_insufficient_credits', 'access_or_service_unavailable']);

const noteCompleted = (
  world: World,
  request: ClientRequest,
  outcome: Extract<OperationOutcome, { kind: 'completed' }>,
): void => {
  const { operation, body } = outcome;
  if (operation.fingerprint !== fingerprintOf(request.body) || !body.includes(`"to":"${request.body}"`))
    report(world, 'answer_belongs_to_body', `${request.tag} was told of ${operation.id}`);
  if (world.operations.get(operation.id)?.state !== 'completed')
    report(world, 'answered_after_the_commit', `${request.tag} was told that ${operation.id} is completed`);
};

/** Looks at an answer in the moment a client gets it. */
export const noteOutcome = (world: World, request: ClientRequest, outcome: OperationOutcome): void => {
  if (outcome.kind === 'completed') {
    noteCompleted(world, request, outcome);
    return;
  }
  if (!unregistered.has(outcome.code) && outcome.requestId !== null) return;
  for (const operation of world.operations.values())
    if (operation.kind === request.tag)
      report(world, 'refusal_leaves_nothing', `${request.tag} was told ${outcome.code} of ${operation.id}`);
};
