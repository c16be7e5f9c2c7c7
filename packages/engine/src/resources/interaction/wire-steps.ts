import type { ToolStepName } from '@tollgate/contract';
import type { RunName } from '../../tools/tool-runner.ts';
import { jsonObjectOf } from './from-generation.ts';
import type { MadeMedium, StoredContent, StoredStep } from './stored-step.ts';

/** How the media of steps are shown. */
export interface ShownMedia {
  /** Base64 of what is small enough to stand in its step, else null. */
  readonly dataOf: (medium: MadeMedium) => string | null;
  /** Where a client downloads it. */
  readonly uriOf: (index: number) => string;
}

const stepNames: Readonly<Record<RunName, ToolStepName>> = {
  code_execution: 'code_execution',
  url_context: 'url_context',
  web_search: 'web_search',
  maps: 'maps',
  file_search: 'file_search',
  computer_use: 'computer_use',
  mcp_server: 'mcp_server_tool',
  host_tool: 'host_tool',
};

const mediaType = (mimeType: string): string => {
  const [kind = ''] = mimeType.split('/', 1);
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document';
};

const toWireMedium = (medium: MadeMedium, { dataOf, uriOf }: ShownMedia): object => {
  const { mimeType, index } = medium;
  const data = dataOf(medium);
  return {
    type: mediaType(mimeType),
    mime_type: mimeType,
    ...(data === null ? { uri: uriOf(index) } : { data }),
    index,
  };
};

const toWireContent = (content: StoredContent, media: ShownMedia): readonly object[] => {
  switch (content.kind) {
    case 'text': {
      const { text, annotations = [] } = content;
      return [{ type: 'text', text, annotations: annotations.length === 0 ? undefined : annotations }];
    }
    case 'made':
      return [toWireMedium(content, media)];
    case 'given':
      // Nothing of what came in is shown again (resources:record:no-content).
      return [];
  }
};

const signed = (context: string | undefined): { readonly signature?: string } =>
  context === undefined ? {} : { signature: context };

/** Tools of an MCP server and of the host have names, which stand beside the arguments. */
const hasNames = (tool: RunName): boolean => tool === 'mcp_server' || tool === 'host_tool';

const namesOf = (call: Extract<StoredStep, { readonly kind: 'tool_call' }> | undefined): object => {
  const { name, server_name } = call?.arguments ?? {};
  return { name, server_name };
};

const toToolCallStep = (step: Extract<StoredStep, { readonly kind: 'tool_call' }>): object => {
  const { tool, id, context } = step;
  const named = hasNames(tool) ? { ...namesOf(step), arguments: step.arguments['arguments'] ?? {} } : null;
  return { type: `${stepNames[tool]}_call`, id, ...(named ?? { arguments: step.arguments }), ...signed(context) };
};

const toWireResult = (
  { tool, callId, result, isError }: Extract<StoredStep, { readonly kind: 'tool_result' }>,
  steps: readonly StoredStep[],
): object => {
  const call = steps.find((step) => step.kind === 'tool_call' && step.id === callId);
  return {
    type: `${stepNames[tool]}_result`,
    call_id: callId,
    ...(hasNames(tool) ? namesOf(call?.kind === 'tool_call' ? call : undefined) : {}),
    result,
    is_error: isError === true ? true : undefined,
  };
};

const toWireStep = (step: StoredStep, steps: readonly StoredStep[], media: ShownMedia): readonly object[] => {
  switch (step.kind) {
    case 'user_input':
    case 'function_result':
      return [];
    case 'model_output':
      return [{ type: 'model_output', content: step.content.flatMap((content) => toWireContent(content, media)) }];
    case 'thought': {
      const { summary, context } = step;
      return [{ type: 'thought', summary, ...signed(context) }];
    }
    case 'function_call': {
      const { id, name, context } = step;
      return [{ type: 'function_call', id, name, arguments: jsonObjectOf(step.arguments) ?? {}, ...signed(context) }];
    }
    case 'tool_call':
      return [toToolCallStep(step)];
    case 'tool_result':
      return [toWireResult(step, steps)];
  }
};

// interactions:output:steps, interactions:output:step-names
/** Steps as the contract writes them. */
export const toWireSteps = (steps: readonly StoredStep[], media: ShownMedia): readonly object[] =>
  steps.flatMap((step) => toWireStep(step, steps, media));
