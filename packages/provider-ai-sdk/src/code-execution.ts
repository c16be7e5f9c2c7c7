import type { LanguageModelV4Content, LanguageModelV4Message } from '@ai-sdk/provider';
import {
  asArray,
  asObject,
  asText,
  parseJson,
  type CodeExecutionResultPart,
  type ExecutableCodePart,
  type UntrustedObject,
} from '@tollgate/provider';
import { readPartContext, writePartContext } from './part-context.ts';
import { refuse } from './refuse.ts';
import type { Vendor } from './vendor.ts';

/** The name under which the tool is declared, whatever its id at the vendor. */
export const codeToolName = 'code_execution';

type ToolCall = Extract<LanguageModelV4Content, { type: 'tool-call' }>;
type ToolResult = Extract<LanguageModelV4Content, { type: 'tool-result' }>;
type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];
type CallPart = Extract<AssistantPart, { type: 'tool-call' }>;
type ResultPart = Extract<AssistantPart, { type: 'tool-result' }>;

const contextOf = (vendor: Vendor, metadata: ToolCall['providerMetadata'], tool: unknown): { context?: string } => {
  // Google's own parts have exactly the members of the canonical ones.
  const context = writePartContext({ metadata, ...(vendor === 'google' ? {} : { tool }) });
  return context === undefined ? {} : { context };
};

/** Code that ran at the upstream. Vendors name it `code`; a shell gets a `command`. */
export const fromCodeCall = (call: ToolCall, vendor: Vendor): ExecutableCodePart => {
  const input = asObject(parseJson(call.input)) ?? {};
  const code = asText(input['code']);
  const command = asText(input['command']);
  const language =
    asText(input['language'])?.toUpperCase() ?? (code === undefined && command !== undefined ? 'BASH' : 'PYTHON');
  return {
    kind: 'executable_code',
    id: call.toolCallId,
    language,
    code: code ?? command ?? call.input,
    ...contextOf(vendor, call.providerMetadata, input),
  };
};

const outcomes: { readonly [outcome: string]: CodeExecutionResultPart['outcome'] } = {
  OUTCOME_OK: 'ok',
  OUTCOME_FAILED: 'failed',
  OUTCOME_DEADLINE_EXCEEDED: 'deadline_exceeded',
};

const outcomeOf = (result: UntrustedObject, isError: boolean): CodeExecutionResultPart['outcome'] => {
  const named = outcomes[asText(result['outcome']) ?? ''];
  if (named !== undefined) return named;
  const code = result['return_code'];
  const failed = isError || (typeof code === 'number' && code !== 0) || asText(result['type'])?.endsWith('_error');
  return failed === true ? 'failed' : 'ok';
};

const outputOf = (result: UntrustedObject): string => {
  const streams = ['output', 'stdout', 'stderr'].map((name) => asText(result[name]) ?? '');
  const logs = asArray(result['outputs']).map((output) => asText(asObject(output)?.['logs']) ?? '');
  return [...streams, ...logs].filter((text) => text !== '').join('\n');
};

/** What the code answered. */
export const fromCodeResult = (given: ToolResult, vendor: Vendor): CodeExecutionResultPart => {
  const result = asObject(given.result) ?? {};
  // Google's results may come without the id of their call.
  const id = asText(given.toolCallId);
  return {
    kind: 'code_execution_result',
    ...(id === undefined ? {} : { id }),
    outcome: outcomeOf(result, given.isError === true),
    output: outputOf(result),
    ...contextOf(vendor, given.providerMetadata, given.result),
  };
};

const optionsOf = (metadata: ToolCall['providerMetadata']): { providerOptions?: NonNullable<typeof metadata> } =>
  metadata === undefined ? {} : { providerOptions: metadata };

/** Code of an earlier turn, with what its own context or the vendor lets it be sent again. */
export const toCodeCall = (part: ExecutableCodePart, vendor: Vendor): CallPart => {
  const { metadata, tool } = readPartContext(part.context);
  if (tool === undefined && vendor !== 'google') return refuse('code of an earlier turn without its context');
  return {
    type: 'tool-call',
    toolCallId: part.id ?? codeToolName,
    toolName: codeToolName,
    input: tool ?? { language: part.language, code: part.code },
    providerExecuted: true,
    ...optionsOf(metadata),
  };
};

const outcomeNames = {
  ok: 'OUTCOME_OK',
  failed: 'OUTCOME_FAILED',
  deadline_exceeded: 'OUTCOME_DEADLINE_EXCEEDED',
} as const;

/** A result of an earlier turn. */
export const toCodeResult = (part: CodeExecutionResultPart, vendor: Vendor): ResultPart => {
  const { metadata, tool } = readPartContext(part.context);
  if (tool === undefined && vendor !== 'google')
    return refuse('a result of code of an earlier turn without its context');
  return {
    type: 'tool-result',
    toolCallId: part.id ?? codeToolName,
    toolName: codeToolName,
    output: {
      type: 'json',
      // Sound: a context's members were parsed from JSON.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      value: (tool as string | undefined) ?? { outcome: outcomeNames[part.outcome], output: part.output },
    },
    ...optionsOf(metadata),
  };
};
