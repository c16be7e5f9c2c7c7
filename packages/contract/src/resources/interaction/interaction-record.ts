import { z } from 'zod';
import { interactionEndings, InteractionStep } from './interaction-step.ts';
import { InteractionTool } from './interaction-tool.ts';
import { resourceRecordSchemas } from '../resource-record.ts';

// interactions:record:fields, interactions:output:steps
/** The record of an interaction. */
export const interactionRecords = resourceRecordSchemas('interaction', {
  shown: {
    previous_interaction_id: z.uuid().nullable(),
    agent_id: z.uuid().nullable(),
    environment_id: z.uuid().nullable(),
  },
  result: {
    steps: z.array(InteractionStep),
    status: z
      .enum(interactionEndings)
      .exactOptional()
      .meta({ description: 'How it ended, where it did not simply complete.' }),
    model: z.string(),
  },
});

// agents:record:echo
/** The record of an agent; it has no result. */
export const agentRecords = resourceRecordSchemas('agent', {
  shown: {
    system_instruction: z.string().nullable(),
    tools: z.array(InteractionTool).meta({ description: 'As sent; the values of headers are hidden.' }),
  },
  result: null,
});
