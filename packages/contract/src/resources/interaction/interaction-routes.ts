import { AgentRequestBody } from './agent-request.ts';
import { agentRecords, interactionRecords } from './interaction-record.ts';
import { InteractionRequestBody } from './interaction-request.ts';
import { limits } from '../../limits.ts';
import { cancelRoute, contentRoute, resourceCreationStatuses, resourceRoutes } from '../resource-routes.ts';
import type { Route } from '../../http/route.ts';

const interaction = { one: 'Interaction', many: 'Interactions', path: '/interactions', noun: 'interaction' } as const;
const agent = { one: 'Agent', many: 'Agents', path: '/agents', noun: 'agent' } as const;

const createInteraction = {
  id: 'createInteraction',
  method: 'POST',
  path: '/interactions',
  summary: 'Let a model answer in steps, with tools',
  errorForm: 'object',
  charged: true,
  takesIdentity: true,
  bodyBytesMax: limits.bodyBytesMax.interactions,
  family: 'interactions',
  pathParameters: null,
  request: InteractionRequestBody,
  success: {
    description: 'The interaction, which may be in progress.',
    contents: { 'application/json': interactionRecords.record },
  },
  statuses: resourceCreationStatuses,
} as const satisfies Route;

const createAgent = {
  id: 'createAgent',
  method: 'POST',
  path: '/agents',
  summary: 'Keep an instruction and tools for interactions',
  errorForm: 'object',
  charged: false,
  takesIdentity: true,
  bodyBytesMax: limits.bodyBytesMax.other,
  family: 'interactions',
  pathParameters: null,
  request: AgentRequestBody,
  success: { description: 'The agent.', contents: { 'application/json': agentRecords.record } },
  statuses: resourceCreationStatuses,
} as const satisfies Route;

/** Every route of interactions and of the agents that they name. */
export const interactionRoutes = [
  createInteraction,
  ...resourceRoutes(interaction, interactionRecords),
  cancelRoute(interaction, interactionRecords),
  contentRoute(interaction, 'application/octet-stream'),
  createAgent,
  ...resourceRoutes(agent, agentRecords),
] as const;
