import type { Content, FunctionCallPart, Generation, GenerationCall, GenerationTool, Part } from '@tollgate/provider';
import type { Directive } from './directives.ts';
import { exampleOfSchema } from './example-of-schema.ts';
import { callContext, callId, reportContexts } from './sandbox-context.ts';
import { base64Bytes, bytesPerTextToken, measure, outputTokens } from './sandbox-usage.ts';

/** How much of a user's text or of a function's result the summary repeats. */
const quotedCharactersMax = 200;

/** What the sandbox answers. Pure: the same call always gets the same answer. */
export const sandboxReply = (call: GenerationCall, directives: readonly Directive[]): Generation => {
  const asked = new Set(directives.map((directive) => directive.kind));
  const answer = asked.has('filter') ? noAnswer : withinLimit(call, compose(call, directives), asked.has('length'));
  const told = directives.find((directive) => directive.kind === 'tokens');
  const output = outputTokens(answer.text, answer.functionCalls);
  return { ...answer, usage: asked.has('unknown-usage') ? [] : measure(call, output, told) };
};

type Answer = Omit<Generation, 'usage'>;

const noAnswer: Answer = { text: '', functionCalls: [], finish: 'content_filter' };

/** The whole answer, before any limit. */
const compose = (call: GenerationCall, directives: readonly Directive[]): Answer => {
  const functionCalls = proposeCalls(call, directives);
  if (functionCalls.length > 0) return { text: '', functionCalls, finish: 'stop' };
  const told = directives.find((directive) => directive.kind === 'echo' || directive.kind === 'json');
  return { text: told?.text ?? freeText(call), functionCalls, finish: 'stop' };
};

type FunctionTool = Extract<GenerationTool, { kind: 'function' }>;

const proposeCalls = (call: GenerationCall, directives: readonly Directive[]): readonly FunctionCallPart[] => {
  if (call.toolChoice.kind === 'none') return [];
  const told = directives.filter((directive) => directive.kind === 'tool');
  const wanted = told.length > 0 ? told : requiredCalls(call);
  const proposed = call.sampling.parallelToolCalls === false ? wanted.slice(0, 1) : wanted;
  return proposed.map(({ name, arguments: json }, index) => {
    const id = callId(call.operationId, index);
    return { kind: 'function_call', id, name, arguments: json, context: callContext(id, name) };
  });
};

/** A choice that demands a call gets one, until the function has answered: the model then has what it asked for. */
const requiredCalls = (call: GenerationCall): readonly { readonly name: string; readonly arguments: string }[] => {
  const { toolChoice } = call;
  if (toolChoice.kind !== 'required' && toolChoice.kind !== 'function') return [];
  if (lastParts(call).some((part) => part.kind === 'function_response')) return [];
  const functions = call.tools.filter((tool): tool is FunctionTool => tool.kind === 'function');
  const tool = toolChoice.kind === 'required' ? functions[0] : functions.find(({ name }) => name === toolChoice.name);
  if (tool === undefined) return [];
  return [{ name: tool.name, arguments: JSON.stringify(exampleOfSchema({ type: 'object', ...tool.parameters })) }];
};

const lastParts = (call: GenerationCall): readonly Part[] =>
  call.contents.findLast((content) => content.role === 'user')?.parts ?? [];

const freeText = (call: GenerationCall): string => {
  const { responseFormat } = call;
  if (responseFormat.kind === 'json_schema') return JSON.stringify(exampleOfSchema(responseFormat.schema));
  const summary = summarize(call);
  return responseFormat.kind === 'json_object' ? JSON.stringify({ reply: summary }) : summary;
};

/** Says what came in, so that an integrator sees what reached the model. */
const summarize = (call: GenerationCall): string => {
  const parts = lastParts(call);
  const builtIn = call.tools.filter((tool) => tool.kind !== 'function').map((tool) => tool.kind);
  const turns = call.contents.length;
  return [
    `Sandbox reply to ${turns} ${turns === 1 ? 'turn' : 'turns'}${call.systemInstruction === null ? '' : ' with a system instruction'}.`,
    ...parts.map(describePart),
    ...(builtIn.length > 0 ? [`Built-in tools offered: ${builtIn.join(', ')}.`] : []),
    ...contextSentence(call),
  ].join(' ');
};

const contextSentence = (call: GenerationCall): readonly string[] => {
  const report = reportContexts(call);
  return report === 'none' ? [] : [`context: ${report}.`];
};

const quote = (text: string): string =>
  text.length > quotedCharactersMax ? `"${text.slice(0, quotedCharactersMax)}…"` : `"${text}"`;

const describePart = (part: Content['parts'][number]): string => {
  switch (part.kind) {
    case 'text':
      return `Text of ${Buffer.byteLength(part.text)} bytes: ${quote(part.text)}.`;
    case 'media':
      return `Media ${part.mimeType} of ${base64Bytes(part.data)} bytes.`;
    case 'blob':
      return `Media ${part.mimeType} of ${part.sizeBytes} bytes.`;
    case 'function_call':
      return `Call of ${part.name}.`;
    case 'function_response':
      return `Result of ${part.name}: ${quote(part.response)}.`;
    case 'executable_code':
      return `Code: ${quote(part.code)}.`;
    case 'code_execution_result':
      return `Output: ${quote(part.output)}.`;
  }
};

/** Cuts an answer that is longer than the call allows; calls that do not fit are not proposed at all. */
const withinLimit = (call: GenerationCall, answer: Answer, halved: boolean): Answer => {
  if (halved)
    return {
      text: cut(answer.text, Math.floor(Buffer.byteLength(answer.text) / 2)),
      functionCalls: [],
      finish: 'length',
    };
  if (outputTokens(answer.text, answer.functionCalls) <= call.outputTokensMax) return answer;
  return { text: cut(answer.text, call.outputTokensMax * bytesPerTextToken), functionCalls: [], finish: 'length' };
};

/** The longest beginning of at most that many bytes that does not split a character. */
const cut = (text: string, bytes: number): string => {
  const whole = Buffer.from(text);
  let end = Math.min(bytes, whole.length);
  while (end > 0 && end < whole.length && ((whole[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return whole.toString('utf8', 0, end);
};
