import type { OperationOutcome } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';
import { fingerprintOf, type ClientRequest } from './client-request.ts';
import type { FinalFacts } from './final-facts.ts';
import type { Life } from './life.ts';
import { sendRequest } from './send-request.ts';
import { report } from './stage.ts';
import { accountId, type World } from './world.ts';

/** Codes with a request id by which an operation has failed for good. */
const failing = new Set([
  'unsupported_parameter',
  'service_unavailable',
  'request_cancelled',
  'previous_request_failed',
]);

const ruleStands = 'acknowledged_answer_stands';

const checkRefusal = (
  world: World,
  request: ClientRequest,
  outcome: Extract<OperationOutcome, { kind: 'refused' }>,
  { operations }: FinalFacts,
): void => {
  const { code, requestId } = outcome;
  if (requestId === null) return;
  const operation = operations.get(requestId);
  if (failing.has(code) && operation?.state !== 'failed')
    report(world, ruleStands, `${request.tag} was told ${code} of ${requestId}, which is ${operation?.state}`);
  if (code === 'ai_idempotency_conflict' && operation?.fingerprint === fingerprintOf(request.body))
    report(world, ruleStands, `${request.tag} was told of a conflict with its own body`);
};

const checkOutcome = (world: World, request: ClientRequest, facts: FinalFacts, bodies: Map<string, string>): void => {
  if (request.told.kind !== 'outcome') return;
  const { outcome } = request.told;
  if (outcome.kind === 'refused') {
    checkRefusal(world, request, outcome, facts);
    return;
  }
  const { id, chargedMicros } = outcome.operation;
  const operation = facts.operations.get(id);
  if (operation?.state !== 'completed' || operation.chargedMicros !== chargedMicros)
    report(world, ruleStands, `${request.tag} was told that ${id} cost ${chargedMicros}; it is ${operation?.state}`);
  if ((bodies.get(id) ?? outcome.body) !== outcome.body) report(world, 'replay_is_equal', `${id} has two bodies`);
  bodies.set(id, outcome.body);
};

/** The code of a repeat; null where it gets the answer. What an operator has charged may have none to give. */
const codeOf = (operation: OperationRecord): string | null => {
  if (operation.state === 'completed') return operation.answer === 'stored' ? null : 'result_expired';
  return operation.state === 'failed' ? 'previous_request_failed' : 'settlement_pending';
};

const firstLife = (world: World): Life => {
  const [life] = world.lives;
  if (life === undefined) throw new Error('a world has lives');
  return life;
};

type Body = ClientRequest['body'];

const bodyOf = (operation: OperationRecord): Body =>
  operation.fingerprint === fingerprintOf('first') ? 'first' : 'second';

const otherBody = (body: Body): Body => (body === 'first' ? 'second' : 'first');

const repeat = async (world: World, operation: OperationRecord, body: Body): Promise<OperationOutcome | null> => {
  const { projectId, identity } = operation;
  const { told } = await sendRequest(world, firstLife(world), { projectId, identity, body });
  return told.kind === 'outcome' ? told.outcome : null;
};

const checkReplay = (
  operation: OperationRecord,
  outcome: OperationOutcome | null,
  body: string | undefined,
): boolean => {
  const code = codeOf(operation);
  if (outcome?.kind === 'refused') return outcome.code === code && outcome.requestId === operation.id;
  if (outcome === null || code !== null) return false;
  const { id, chargedMicros } = outcome.operation;
  return (
    outcome.replayed &&
    id === operation.id &&
    chargedMicros === operation.chargedMicros &&
    outcome.body === (body ?? outcome.body)
  );
};

/** Asks for every identity once more, with its own body and with another. */
const checkReplays = async (world: World, facts: FinalFacts, bodies: ReadonlyMap<string, string>): Promise<void> => {
  for (const operation of facts.operations.values()) {
    if (operation.identity === null) continue;
    const own = bodyOf(operation);
    if (!checkReplay(operation, await repeat(world, operation, own), bodies.get(operation.id)))
      report(world, 'replay_is_equal', `${operation.id}, ${operation.state}, was not replayed as it is`);
    const conflict = await repeat(world, operation, otherBody(own));
    if (conflict?.kind !== 'refused' || conflict.code !== 'ai_idempotency_conflict')
      report(world, 'other_body_conflicts', operation.id);
  }
};

const checkFound = async (world: World, facts: FinalFacts, bodies: ReadonlyMap<string, string>): Promise<void> => {
  const { engine } = firstLife(world);
  for (const [id, body] of bodies) {
    const operation = facts.operations.get(id);
    const found = operation && (await world.subject.findRequest(engine, operation.projectId, id));
    if (found?.body !== body) report(world, 'replay_is_equal', `${id} is not found as it was answered`);
  }
};

/** Whether every answer that a client got is still true, and is given again. */
export const checkAnswers = async (world: World, facts: FinalFacts): Promise<void> => {
  const bodies = new Map<string, string>();
  for (const request of world.requests) checkOutcome(world, request, facts, bodies);
  await checkFound(world, facts, bodies);
  const before = await world.storage.read([{ table: 'wallet', id: accountId }]);
  const executed = world.executions.length;
  await checkReplays(world, facts, bodies);
  const after = await world.storage.read([{ table: 'wallet', id: accountId }]);
  if (world.executions.length !== executed) report(world, 'replay_never_executes', 'a repeat was executed');
  if (before.get('wallet', accountId)?.seq !== after.get('wallet', accountId)?.seq)
    report(world, 'replay_never_executes', 'a repeat changed the wallet');
};
