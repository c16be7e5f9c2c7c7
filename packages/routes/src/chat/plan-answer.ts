import { isCallArguments } from '@tollgate/contract';
import type { PlannedAnswer } from '@tollgate/engine';
import type { FunctionCallPart, Generation, JsonObject } from '@tollgate/provider';
import type { OperationRecord } from '@tollgate/storage';
import type { Service } from '../service.ts';
import { chatCitations } from './chat-citations.ts';

/** What code that was executed printed: the answer of a model that says nothing beside it. */
const resultsOf = ({ parts = [] }: Generation): string =>
  parts.map((part) => (part.kind === 'code_execution_result' && part.outcome === 'ok' ? part.output : '')).join('');

const contentOf = (generation: Generation): string | null => {
  const { text, functionCalls, finish } = generation;
  if (text !== '') return text;
  return functionCalls.length > 0 || finish === 'content_filter' ? null : resultsOf(generation);
};

// chat:response:content-filter
/** What was filtered is no answer to be acted on, whatever a provider leaves of it. */
const withoutFiltered = (generation: Generation): Generation =>
  generation.finish === 'content_filter' ? { ...generation, text: '', functionCalls: [] } : generation;

const toolContextsOf = (generation: Generation) =>
  generation.functionCalls.flatMap(({ id, context }) => (context === undefined ? [] : [{ callId: id, context }]));

type Answering = Pick<Service, 'contextSeal' | 'finishReasonWithTools'>;
type Answered = Pick<OperationRecord, 'id' | 'projectId' | 'model' | 'createdAtMs'>;

/** What of a message the strict contract does not take back by itself: nothing said, or arguments that are no JSON. */
const isIrregular = (content: string | null, { functionCalls }: Generation): boolean =>
  functionCalls.length === 0
    ? content === null || content === ''
    : functionCalls.some(({ arguments: text }) => !isCallArguments(text));

const callOf = ({ name, arguments: text }: FunctionCallPart) => ({ name, arguments: text });

/** The older form has room for one call; where there are more, all of them stand beside it in the newer one. */
const callsOf = ({ functionCalls }: Generation, legacyFunctions: boolean): object => {
  const [first, ...others] = functionCalls;
  if (first === undefined) return {};
  const tool_calls = functionCalls.map((call) => ({ id: call.id, type: 'function', function: callOf(call) }));
  if (!legacyFunctions) return { tool_calls };
  return { function_call: callOf(first), tool_calls: others.length === 0 ? undefined : tool_calls };
};

/** What the model thought, where the client's dialect has a member for it. */
const reasoningOf = ({ parts = [], finish }: Generation): string | undefined => {
  if (finish === 'content_filter') return undefined;
  const text = parts.map((part) => (part.kind === 'text' && part.thought === true ? part.text : '')).join('');
  return text === '' ? undefined : text;
};

const citationsOf = ({ parts = [], finish }: Generation): readonly JsonObject[] | undefined => {
  const citations = finish === 'content_filter' ? [] : chatCitations(parts);
  return citations.length === 0 ? undefined : citations;
};

const messageOf = (service: Answering, operation: Answered, generation: Generation, wish: AnswerWish) => {
  const contexts = new Map(toolContextsOf(generation).map(({ callId, context }) => [callId, context]));
  const content = contentOf(generation);
  // A sealed context says that the message is ours: it is taken back whatever it holds.
  const isSealed = contexts.size > 0 || isIrregular(content, generation);
  const context = isSealed ? service.contextSeal.seal(operation.projectId, contexts) : null;
  return {
    role: 'assistant',
    content,
    reasoning_content: wish.reasoning ? reasoningOf(generation) : undefined,
    ...callsOf(generation, wish.legacyFunctions),
    annotations: wish.citations ? citationsOf(generation) : undefined,
    ...(context === null ? {} : { context }),
  };
};

const finishOf = (service: Answering, { legacyFunctions }: AnswerWish, generation: Generation): string => {
  const { finish } = generation;
  if (generation.functionCalls.length === 0 || finish !== 'stop') return finish;
  return legacyFunctions ? 'function_call' : service.finishReasonWithTools;
};

/** How a client wants its answer. */
export interface AnswerWish {
  /** Whether calls are reported in the form that came before tools. */
  readonly legacyFunctions: boolean;
  /** Whether the message carries `reasoning_content`. */
  readonly reasoning: boolean;
  /** Whether the message carries `annotations`. */
  readonly citations: boolean;
}

// chat:response:fields
/** What is stored of a generation: the chat completion without its credits, which the debit adds. */
export const planAnswer = (
  service: Answering,
  answered: Generation,
  operation: Answered,
  wish: AnswerWish,
): PlannedAnswer => {
  const generation = withoutFiltered(answered);
  const body = JSON.stringify({
    id: `chatcmpl-${operation.id}`,
    object: 'chat.completion',
    created: Math.floor(operation.createdAtMs / 1_000),
    model: operation.model,
    choices: [
      {
        index: 0,
        message: messageOf(service, operation, generation, wish),
        finish_reason: finishOf(service, wish, generation),
      },
    ],
  });
  return { body, toolContexts: toolContextsOf(generation) };
};
