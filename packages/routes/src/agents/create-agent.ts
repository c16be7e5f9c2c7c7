import { limits, parseAgentRequest, type AgentRequest, type InteractionTool } from '@tollgate/contract';
import { draftResource, type Access, type ResourcePlan } from '@tollgate/engine';
import { fingerprint } from '../fingerprint.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { checkTools } from '../interactions/check-interaction.ts';
import { readJson } from '../read-json.ts';
import { checkFamily, resolveModel } from '../resolve-model.ts';
import { answerCreated } from '../resources/create-resource-answer.ts';
import type { Service } from '../service.ts';
import { sealAgent } from './kept-agent.ts';

const hidden = '***';

// agents:record:echo
/** Tools as they were sent, but for what only the server of a tool may see. */
const shownTool = (tool: InteractionTool): InteractionTool => {
  if (tool.type !== 'mcp_server' || tool.headers === undefined) return tool;
  return { ...tool, headers: Object.fromEntries(Object.keys(tool.headers).map((name) => [name, hidden])) };
};

/** It costs nothing and has no work: its record is the agent. */
const planAgent = (
  service: Service,
  access: Access,
  agent: AgentRequest,
): Omit<ResourcePlan, 'identity' | 'fingerprint'> => {
  const model = resolveModel(service, access, undefined, 'interactions');
  checkFamily(model, 'interactions');
  const { displayName, systemInstruction, tools } = agent;
  return {
    access,
    kind: 'agent',
    model: model.id,
    estimate: null,
    refusal: null,
    draft: draftResource({
      kind: 'agent',
      displayName,
      availability: 'active',
      publicFields: { system_instruction: systemInstruction, tools: tools.map(shownTool) },
      work: sealAgent(service, { systemInstruction, tools }),
    }),
    uses: [],
  };
};

// agents:*
/** POST /agents: 200 with the record of an agent that can be named at once. */
export const createAgent = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const body = await readJson(service, request, limits.bodyBytesMax.other);
  const agent = parseAgentRequest(body.value);
  checkTools(service, agent.tools);
  const named = { identity, fingerprint: fingerprint(request.method, '/agents', body.bytes) };
  return answerCreated(service, { ...planAgent(service, access, agent), ...named });
};
