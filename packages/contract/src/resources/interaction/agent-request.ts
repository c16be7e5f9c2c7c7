import { z } from 'zod';
import { checkInteractionTools } from './check-interaction-tools.ts';
import { GatewayError } from '../../http/gateway-error.ts';
import { interactionIssueError } from './interaction-request.ts';
import { InteractionTools, type InteractionTool } from './interaction-tool.ts';
import { isRecord } from '../../json/json-record.ts';
import { keptText } from '../../fields/kept-text.ts';
import { agentBounds, interactionBounds } from '../../limits.ts';
import { listError, noObjectError } from '../../fields/refused-value.ts';
import { parseWithin } from '../../http/parse-within.ts';

// agents:body:fields
/** The body of POST /agents. */
export const AgentRequestBody = z.strictObject({
  display_name: keptText(interactionBounds.textFieldCharsMax).exactOptional(),
  system_instruction: z.string().exactOptional(),
  tools: InteractionTools.exactOptional(),
});

/** A checked agent: what interactions that name it begin with. */
export interface AgentRequest {
  readonly displayName: string | null;
  readonly systemInstruction: string | null;
  readonly tools: readonly InteractionTool[];
}

/** It is kept without a charge, so it has a limit of its own beside that of the body. */
const checkInstruction = (instruction = ''): void => {
  const bytes = Buffer.byteLength(instruction);
  if (bytes > agentBounds.instructionBytesMax)
    throw new GatewayError('input_limit', {
      detail: `The field system_instruction has ${bytes} bytes; accepted are 0 to ${agentBounds.instructionBytesMax} bytes.`,
    });
};

/** Reads the parsed JSON body of POST /agents. Throws the error of the contract that names the field. */
export const parseAgentRequest = (body: unknown): AgentRequest => {
  if (!isRecord(body)) throw noObjectError(body);
  const list = body['tools'];
  if (Array.isArray(list) && list.length > interactionBounds.declarationsMax)
    throw listError(['tools'], list, [0, interactionBounds.declarationsMax]);
  const result = parseWithin(AgentRequestBody, body);
  if (!result.success) {
    const [issue] = result.issues;
    throw issue === undefined
      ? new GatewayError('invalid_request', { cause: result.cause })
      : interactionIssueError(issue, body, AgentRequestBody);
  }
  const { display_name, system_instruction, tools = [] } = result.data;
  checkInteractionTools(tools);
  checkInstruction(system_instruction);
  return { displayName: display_name ?? null, systemInstruction: system_instruction ?? null, tools };
};
