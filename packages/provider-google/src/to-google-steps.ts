import {
  asText,
  type BlobPart,
  type JsonObject,
  type MediaPart,
  type Step,
  type StepContent,
} from '@tollgate/provider';
import { base64Of } from '@tollgate/provider-http';
import { given, stepNameOf } from './interaction-tools.ts';
import { signatureOf } from './signature.ts';
import { readArguments, type UriOf } from './to-google-contents.ts';

const kindOf = (mimeType: string): string => {
  const [kind = ''] = mimeType.split('/', 1);
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document';
};

const toMedium = (part: MediaPart | BlobPart, uriOf: UriOf): JsonObject => {
  const { mimeType } = part;
  const named = { type: kindOf(mimeType), mime_type: mimeType };
  if (part.kind === 'media') return { ...named, data: part.data };
  const uri = uriOf(part);
  return uri === undefined ? { ...named, data: base64Of(part) } : { ...named, uri };
};

const toContent = (content: StepContent, uriOf: UriOf): JsonObject =>
  content.kind === 'text' ? { type: 'text', text: content.text } : toMedium(content, uriOf);

const signed = (context: string | undefined): JsonObject => given('signature', signatureOf(context));

type ToolCall = Extract<Step, { readonly kind: 'tool_call' }>;
type ToolResult = Extract<Step, { readonly kind: 'tool_result' }>;

/** The tools of an MCP server have names, which stand beside the arguments. */
const mcpNames = ({ arguments: given_ }: ToolCall): JsonObject => ({
  ...given('name', asText(given_['name'])),
  ...given('server_name', asText(given_['server_name'])),
});

const toToolCall = (step: ToolCall): JsonObject => {
  const { tool, id, context } = step;
  // The upstream's computer use is a function that it declares itself.
  if (tool === 'computer_use')
    return { type: 'function_call', id, name: asText(step.arguments['name']) ?? tool, arguments: step.arguments };
  const named =
    tool === 'mcp_server'
      ? { ...mcpNames(step), arguments: step.arguments['arguments'] ?? {} }
      : { arguments: step.arguments };
  return { type: `${stepNameOf(tool)}_call`, id, ...named, ...signed(context) };
};

const toToolResult = (step: ToolResult, steps: readonly Step[]): JsonObject => {
  const { tool, callId, result, isError } = step;
  const call = steps.find((one) => one.kind === 'tool_call' && one.id === callId);
  const type = tool === 'computer_use' ? 'function_result' : `${stepNameOf(tool)}_result`;
  return {
    type,
    call_id: callId,
    ...(tool === 'mcp_server' && call?.kind === 'tool_call' ? mcpNames(call) : {}),
    result,
    ...(isError === true ? { is_error: true } : {}),
  };
};

const toStep = (step: Step, steps: readonly Step[], uriOf: UriOf): readonly JsonObject[] => {
  switch (step.kind) {
    case 'user_input':
    case 'model_output':
      return [{ type: step.kind, content: step.content.map((content) => toContent(content, uriOf)) }];
    case 'thought':
      // Without its signature a thought says nothing to the upstream.
      return signatureOf(step.context) === undefined ? [] : [{ type: 'thought', ...signed(step.context) }];
    case 'function_call': {
      const { id, name, context } = step;
      return [{ type: 'function_call', id, name, arguments: readArguments(step.arguments) ?? {}, ...signed(context) }];
    }
    case 'function_result': {
      const { callId, name, result, isError } = step;
      return [
        {
          type: 'function_result',
          call_id: callId,
          ...given('name', name),
          result,
          ...(isError === true ? { is_error: true } : {}),
        },
      ];
    }
    case 'tool_call':
      return [toToolCall(step)];
    case 'tool_result':
      return [toToolResult(step, steps)];
  }
};

/** Writes steps in order. Total and pure; what is uploaded is named by its address, other blobs are read while it is sent. */
export const toGoogleSteps = (steps: readonly Step[], uriOf: UriOf): readonly JsonObject[] =>
  steps.flatMap((step) => toStep(step, steps, uriOf));
