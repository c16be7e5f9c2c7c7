import { isRecord, type JsonRecord } from '@tollgate/contract';
import {
  interactionNote,
  viewInteraction,
  type FoundResource,
  type InteractionView,
  type StoredContent,
  type StoredStep,
} from '@tollgate/engine';
import { present } from '../../present.ts';
import type { Service } from '../../service.ts';
import { answerHead } from './find-kept.ts';
import type { AnswerHead } from './generation-dialect.ts';
import type { AnswerPart, KeptAnswer, SealState } from './kept-answer.ts';

/** What a dialect keeps with an interaction that carries one of its requests: JSON, which has no word for what is undefined. */
export const carriedNote = (dialect: string, echo: AnswerHead['echo']): JsonRecord => ({
  dialect,
  echo: Object.fromEntries(Object.entries(echo).filter(([, value]) => value !== undefined)),
});

/** An interaction that carries a request of a dialect, so far as it is. */
export interface CarriedAnswer {
  readonly head: AnswerHead;
  readonly stage: InteractionView['stage'] | 'gone';
  readonly steps: readonly StoredStep[];
}

type ToolCall = Extract<StoredStep, { readonly kind: 'tool_call' }>;
type ToolResult = Extract<StoredStep, { readonly kind: 'tool_result' }>;

const textParts = (content: StoredContent, seal: SealState): readonly AnswerPart[] => {
  if (content.kind !== 'text') return [];
  const { text, annotations = [], context } = content;
  const sealed = context === undefined ? null : seal(context);
  const cited = annotations.length === 0 ? null : annotations;
  return [{ kind: 'text', text, ...present('annotations', cited), ...present('context', sealed) }];
};

const textAt = (record: JsonRecord, name: string): string => {
  const member = record[name];
  return typeof member === 'string' ? member : '';
};

const outputOf = ({ result }: ToolResult): string => (typeof result === 'string' ? result : JSON.stringify(result));

/** A program has the two parts that it has where the model's provider runs it. */
const toolParts = (call: ToolCall, result: ToolResult | null): readonly AnswerPart[] => {
  const { tool, id, arguments: args } = call;
  if (tool !== 'code_execution') {
    const isError = result?.isError === true;
    return [{ kind: 'tool_call', tool, id, arguments: args, result: result?.result ?? null, isError }];
  }
  const language = textAt(args, 'language').toUpperCase() || 'PYTHON';
  const code: AnswerPart = { kind: 'executable_code', id, language, code: textAt(args, 'code') };
  if (result === null) return [code];
  const outcome = result.isError === true ? 'failed' : 'ok';
  return [code, { kind: 'code_execution_result', id, outcome, output: outputOf(result) }];
};

const stepParts = (step: StoredStep, result: ToolResult | null, seal: SealState): readonly AnswerPart[] => {
  switch (step.kind) {
    case 'model_output':
      return step.content.flatMap((content) => textParts(content, seal));
    case 'thought': {
      const sealed = step.context === undefined ? null : seal(step.context);
      return [{ kind: 'text', thought: true, text: step.summary ?? '', ...present('context', sealed) }];
    }
    case 'function_call': {
      const { context: _context, ...call } = step;
      return [call];
    }
    case 'tool_call':
      return toolParts(step, result);
    case 'tool_result':
    case 'user_input':
    case 'function_result':
      return [];
  }
};

/**
 * The parts of an answer, of steps that may still grow: as many as will not change any more. The call of a tool that the gateway
 * runs is a part once its result is there, and what follows it comes after it.
 */
export const partsOfSteps = (steps: readonly StoredStep[], seal: SealState): readonly AnswerPart[] => {
  const results = new Map(steps.flatMap((step) => (step.kind === 'tool_result' ? [[step.callId, step] as const] : [])));
  const parts: AnswerPart[] = [];
  for (const step of steps) {
    const result = step.kind === 'tool_call' ? (results.get(step.id) ?? null) : null;
    if (step.kind === 'tool_call' && result === null && step.called !== undefined) break;
    parts.push(...stepParts(step, result, seal));
  }
  return parts;
};

const finishes = {
  completed: 'stop',
  requires_action: 'stop',
  incomplete: 'length',
  budget_exceeded: 'length',
  cancelled: 'cancelled',
} as const;

/** The answer of an interaction that has ended. */
export const endedAnswer = ({ head, stage, steps }: CarriedAnswer, seal: SealState): KeptAnswer => ({
  parts: partsOfSteps(steps, seal),
  finish: stage === 'asked' || stage === 'working' || stage === 'gone' ? 'stop' : finishes[stage],
  echo: head.echo,
});

const echoOf = (note: JsonRecord): AnswerHead['echo'] => (isRecord(note['echo']) ? note['echo'] : {});

/** An interaction as the dialect of this name reads it; null where it carries no request of that dialect. */
export const readCarried = async (
  { engine }: Pick<Service, 'engine'>,
  dialect: string,
  { resource, operation }: FoundResource,
): Promise<CarriedAnswer | null> => {
  if (resource.kind !== 'interaction' || resource.availability === 'deleted') return null;
  const note = await interactionNote(engine, resource).catch(() => null);
  if (note?.['dialect'] !== dialect) return null;
  const head = answerHead(operation, echoOf(note));
  const isOver = operation.endedAtMs !== null && operation.state !== 'completed';
  const view = isOver ? null : await viewInteraction(engine, resource);
  return view === null ? { head, stage: 'gone', steps: [] } : { head, ...view };
};
