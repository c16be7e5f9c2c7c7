import { directive, readTokens, type Directive } from './read-directives.ts';

/** What the upstream of the kit does with a chat. */
export interface Composed {
  readonly pieces: readonly string[];
  readonly pauseMs: number;
  readonly delayMs: number;
  readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[];
  readonly finish: 'stop' | 'length' | 'content_filter' | 'tool_calls';
  /** Null reports none. */
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly total_tokens: number;
  } | null;
  /** After how many pieces the connection is lost; null keeps it. */
  readonly lostAfter: number | null;
}

const bytesOfToken = 4;
const hangMs = 600_000;

const textOf = (directives: readonly Directive[]): string => {
  const echo = directive(directives, 'echo') ?? directive(directives, 'json');
  return echo?.rest ?? 'The upstream of the kit has read it.';
};

/** A text in so many pieces. */
const piecesOf = (text: string, count: number): readonly string[] => {
  const size = Math.max(1, Math.ceil(text.length / count));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
};

const toolCallsOf = (directives: readonly Directive[]): Composed['toolCalls'] =>
  directives
    .filter(({ name }) => name === 'tool')
    .map(({ rest }) => {
      const [name = ''] = rest.split(' ');
      return { name, arguments: rest.slice(name.length).trim() || '{}' };
    });

const lostAfterOf = (directives: readonly Directive[]): number | null => {
  if (directive(directives, 'unknown') !== undefined || directive(directives, 'hang') !== undefined) return 0;
  const cut = directive(directives, 'cut');
  return cut === undefined ? null : Number(cut.rest || '1');
};

const finishOf = (directives: readonly Directive[], hasCalls: boolean): Composed['finish'] => {
  if (directive(directives, 'filter') !== undefined) return 'content_filter';
  if (directive(directives, 'length') !== undefined) return 'length';
  return hasCalls ? 'tool_calls' : 'stop';
};

const usageOf = (directives: readonly Directive[], input: string, output: string): Composed['usage'] => {
  if (directive(directives, 'unknown-usage') !== undefined) return null;
  const told = readTokens(directives);
  const prompt = told?.in ?? Math.ceil(input.length / bytesOfToken);
  const completion = told?.out ?? Math.ceil(output.length / bytesOfToken);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
};

export const composeAnswer = (directives: readonly Directive[], input: string): Composed => {
  const calls = toolCallsOf(directives);
  const [count = '1', pause = '0'] = (directive(directives, 'stream')?.rest ?? '').split(' ').filter(Boolean);
  const whole = calls.length > 0 || directive(directives, 'filter') !== undefined ? '' : textOf(directives);
  const text = directive(directives, 'length') === undefined ? whole : whole.slice(0, Math.ceil(whole.length / 2));
  return {
    pieces: piecesOf(text, Number(count)),
    pauseMs: Number(pause),
    delayMs: directive(directives, 'hang') === undefined ? Number(directive(directives, 'slow')?.rest ?? '0') : hangMs,
    toolCalls: calls,
    finish: finishOf(directives, calls.length > 0),
    usage: usageOf(directives, input, text),
    lostAfter: lostAfterOf(directives),
  };
};
