import type { OperationPlan } from '@tollgate/engine';
import { NotExecuted } from '@tollgate/provider';
import { fingerprintOf, type ClientRequest } from './client-request.ts';
import type { Execution } from './execution.ts';
import type { Life } from './life.ts';
import { holdTokens, type ProviderResult } from './provider-script.ts';
import { noteOutcome } from './note-outcome.ts';
import { accountId, keyId, modelId, type World } from './world.ts';

const conclude = (execution: Execution): ProviderResult => {
  execution.finished = true;
  const { script } = execution;
  switch (script.kind) {
    case 'answers':
      return script.result;
    case 'not_executed':
      throw new NotExecuted({ reason: script.reason });
    case 'unknown':
      throw new Error('the line to the provider broke');
  }
};

const execute = async (world: World, request: ClientRequest, operationId: string): Promise<ProviderResult> => {
  const execution: Execution = { operationId, request, script: world.nextScript(), finished: false };
  world.executions.push(execution);
  if (!world.over)
    await new Promise<void>((fire) => world.scheduler.add({ kind: 'provider', life: request.life, fire }));
  return conclude(execution);
};

/** The public body of an answer: some are long enough to lie in the blob store. */
const bodyOf = (request: ClientRequest, result: ProviderResult, operationId: string): string =>
  JSON.stringify({
    id: operationId,
    to: request.body,
    tag: request.tag,
    text: result.text.repeat(1 + (operationId.length % 3)),
  });

const planOf = (world: World, request: ClientRequest): OperationPlan<ProviderResult> => ({
  access: { accountId, projectId: request.projectId, keyId },
  kind: request.tag,
  model: modelId,
  provider: 'witness',
  identity: request.identity,
  fingerprint: fingerprintOf(request.body),
  answerForm: 'json',
  estimate: [{ unit: 'input_text_tokens', quantity: holdTokens }],
  refusal: null,
  isAbandoned: () => request.left,
  execute: (context) => execute(world, request, context.operationId),
  measure: (result) => {
    if (result.unreadable) throw new Error('the result cannot be read');
    return result.usage;
  },
  answer: (result, operation) => ({ body: bodyOf(request, result, operation.id), toolContexts: [] }),
});

export type RequestInput = Pick<ClientRequest, 'projectId' | 'identity' | 'body'> & {
  /** The client goes away at once. */
  readonly leaves?: boolean;
};

/** Sends a request to a process; what the client gets is checked and recorded. */
export const sendRequest = async (
  world: World,
  life: Life,
  { leaves = false, ...input }: RequestInput,
): Promise<ClientRequest> => {
  world.counters.requests += 1;
  const tag = `request-${world.counters.requests}`;
  const request: ClientRequest = { ...input, tag, life, left: leaves, told: { kind: 'nothing_yet' } };
  world.requests.push(request);
  try {
    const outcome = await world.subject.runOperation(life.engine, planOf(world, request));
    request.told = { kind: 'outcome', outcome };
    noteOutcome(world, request, outcome);
  } catch (cause) {
    request.told = { kind: 'broken', cause };
  }
  return request;
};
