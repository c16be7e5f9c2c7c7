import type { OperationRecord } from '@tollgate/storage';
import { usageOf } from '../../chat/encode-completion.ts';
import { present } from '../../present.ts';
import { callInput } from '../generation/call-input.ts';
import type { AnswerHead, SettledAnswer, StreamWriter } from '../generation/generation-dialect.ts';
import type { AnswerPart } from '../generation/kept-answer.ts';

/** A line of a stream: JSON text holds no line end. */
const line = (members: object): string => `${JSON.stringify(members)}\n`;

const textIn = (parts: readonly AnswerPart[], thought: boolean): string =>
  parts.map((part) => (part.kind === 'text' && (part.thought === true) === thought ? part.text : '')).join('');

/** The calls of an answer. Their ids come back with the message, and by them the states of the upstream are found. */
const callsIn = (parts: readonly AnswerPart[]): readonly object[] =>
  parts
    .filter((part) => part.kind === 'function_call')
    .map((part, index) => ({ id: part.id, function: { index, name: part.name, arguments: callInput(part) } }));

/** How what a model said stands in a line: as a message of a chat, or as the text of a response. */
export type Saying = (parts: readonly AnswerPart[]) => object;

export const asMessage: Saying = (parts) => {
  const calls = callsIn(parts);
  return {
    message: {
      role: 'assistant',
      content: textIn(parts, false),
      ...present('thinking', textIn(parts, true) || null),
      ...present('tool_calls', calls.length === 0 ? null : calls),
    },
  };
};

export const asResponse: Saying = (parts) => ({
  response: textIn(parts, false),
  ...present('thinking', textIn(parts, true) || null),
});

const headOf = ({ model, createdAtMs }: AnswerHead) => ({ model, created_at: new Date(createdAtMs).toISOString() });

const nanosecondsPerMs = 1_000_000;

/** Clients divide tokens by the time, so it is never 0. */
const durationOf = ({ createdAtMs, endedAtMs }: OperationRecord): number =>
  Math.max(1, ((endedAtMs ?? createdAtMs) - createdAtMs) * nanosecondsPerMs);

/** Why an answer ended, what it used and what it cost. The upstream does not tell how its time was divided. */
const endOf = ({ answer, operation, receipt }: SettledAnswer) => {
  const { prompt_tokens: input, completion_tokens: output } = usageOf(operation);
  const duration = durationOf(operation);
  return {
    done: true,
    done_reason: answer.finish,
    total_duration: duration,
    load_duration: 0,
    prompt_eval_count: input,
    prompt_eval_duration: 0,
    eval_count: output,
    eval_duration: duration,
    ...receipt,
  };
};

/** A whole response. */
export const writeLine = (saying: Saying, head: AnswerHead, settled: SettledAnswer): string =>
  JSON.stringify({ ...headOf(head), ...saying(settled.answer.parts), ...endOf(settled) });

const isSaid = (part: AnswerPart): boolean => part.kind === 'text' || part.kind === 'function_call';

/** A stream: a line for each piece, and one at the end. */
export const openLines = (saying: Saying, head: AnswerHead): StreamWriter => ({
  piece: (parts) => {
    const said = parts.filter(isSaid);
    return said.length === 0 ? '' : line({ ...headOf(head), ...saying(said), done: false });
  },
  end: (settled) => line({ ...headOf(head), ...saying([]), ...endOf(settled) }),
  fail: (error) => line({ error: error.message }),
});
