import { z } from 'zod';
import { checkInteractionTools } from './check-interaction-tools.ts';
import { GatewayError } from './gateway-error.ts';
import { interactionIssueError } from './interaction-request.ts';
import { InteractionTools, type InteractionTool } from './interaction-tool.ts';
import { isRecord } from './json-record.ts';
import { keptText } from './kept-text.ts';
import { interactionBounds } from './limits.ts';

/** The body of POST /agents [agents:body:fields]. */
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

/** Reads the parsed JSON body of POST /agents. Throws the error of the contract that names the field. */
export const parseAgentRequest = (body: unknown): AgentRequest => {
  if (!isRecord(body)) throw new GatewayError('invalid_request', { detail: 'The body must be a JSON object.' });
  const list = body['tools'];
  if (Array.isArray(list) && list.length > interactionBounds.declarationsMax)
    throw new GatewayError('invalid_request', {
      detail: `The field tools must have at most ${interactionBounds.declarationsMax} entries.`,
    });
  const result = AgentRequestBody.safeParse(body);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw issue === undefined
      ? new GatewayError('invalid_request', { cause: result.error })
      : interactionIssueError(issue, body);
  }
  const { display_name, system_instruction, tools = [] } = result.data;
  checkInteractionTools(tools);
  return { displayName: display_name ?? null, systemInstruction: system_instruction ?? null, tools };
};
