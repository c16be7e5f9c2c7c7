import type { PlannedAnswer } from '@tollgate/engine';
import type { Generation, ResponseFormat } from '@tollgate/provider';
import type { OperationRecord } from '@tollgate/storage';
import type { Service } from '../service.ts';
import { checkedFinish } from './check-structure.ts';

/** What code that was executed printed: the answer of a model that says nothing beside it. */
const resultsOf = ({ parts = [] }: Generation): string =>
  parts.map((part) => (part.kind === 'code_execution_result' && part.outcome === 'ok' ? part.output : '')).join('');

const contentOf = (generation: Generation): string | null => {
  const { text, functionCalls, finish } = generation;
  if (text !== '') return text;
  return functionCalls.length > 0 || finish === 'content_filter' ? null : resultsOf(generation);
};

/** What was filtered is no answer to be acted on, whatever a provider leaves of it (chat:response:content-filter). */
const withoutFiltered = (generation: Generation): Generation =>
  generation.finish === 'content_filter' ? { ...generation, text: '', functionCalls: [] } : generation;

const toolContextsOf = (generation: Generation) =>
  generation.functionCalls.flatMap(({ id, context }) => (context === undefined ? [] : [{ callId: id, context }]));

const messageOf = (service: Service, operation: OperationRecord, generation: Generation) => {
  const contexts = new Map(toolContextsOf(generation).map(({ callId, context }) => [callId, context]));
  const context = contexts.size === 0 ? null : service.contextSeal.seal(operation.projectId, contexts);
  const calls = generation.functionCalls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }));
  return {
    role: 'assistant',
    content: contentOf(generation),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(context === null ? {} : { context }),
  };
};

/** What is stored of a generation: the chat completion without its credits, which the debit adds (chat:response:fields). */
export const planAnswer = (
  service: Service,
  format: ResponseFormat,
  answered: Generation,
  operation: OperationRecord,
): PlannedAnswer => {
  const generation = withoutFiltered(answered);
  const finish = checkedFinish(format, generation);
  const withTools = generation.functionCalls.length > 0 && finish === 'stop';
  const body = JSON.stringify({
    id: `chatcmpl-${operation.id}`,
    object: 'chat.completion',
    created: Math.floor(operation.createdAtMs / 1_000),
    model: operation.model,
    choices: [
      {
        index: 0,
        message: messageOf(service, operation, generation),
        finish_reason: withTools ? service.finishReasonWithTools : finish,
      },
    ],
  });
  return { body, toolContexts: toolContextsOf(generation) };
};
