import { z } from 'zod';

// interactions:output:media
/** Media of a step: small ones inline, larger ones behind the content route. */
const StepMedia = z.looseObject({
  type: z.enum(['image', 'audio', 'video', 'document']),
  mime_type: z.string(),
  data: z.string().optional().meta({ contentEncoding: 'base64' }),
  uri: z.string().optional().meta({ description: 'Absolute path to download it from, with the bearer.' }),
  index: z.int().min(0).meta({ description: 'Of the content route.' }),
});
const StepText = z.looseObject({
  type: z.literal('text'),
  text: z.string(),
  annotations: z
    .array(z.looseObject({ type: z.enum(['url_citation', 'file_citation', 'place_citation', 'word_info']) }))
    .optional(),
});

const toolSteps = [
  'code_execution',
  'url_context',
  'web_search',
  'maps',
  'file_search',
  'computer_use',
  'mcp_server_tool',
  'host_tool',
] as const;

// interactions:output:step-names
/** How the steps of a tool are called: neutral names, others as they are. */
export type ToolStepName = (typeof toolSteps)[number];

const calls = toolSteps.map((tool) => `${tool}_call`);
const results = toolSteps.map((tool) => `${tool}_result`);

/** One step of `result.steps`, in the order of what happened. */
export const InteractionStep = z.union([
  z.looseObject({ type: z.literal('model_output'), content: z.array(z.union([StepText, StepMedia])) }),
  z.looseObject({ type: z.literal('thought'), summary: z.string().optional(), signature: z.string().optional() }),
  z.looseObject({
    type: z.literal('function_call'),
    id: z.string(),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()),
  }),
  z.looseObject({ type: z.enum(calls), id: z.string(), arguments: z.record(z.string(), z.unknown()) }),
  z.looseObject({
    type: z.enum(results),
    call_id: z.string(),
    result: z.unknown(),
    is_error: z.boolean().optional(),
  }),
]);

/** How an interaction ended that did not simply complete. */
export const interactionEndings = [
  'completed',
  'requires_action',
  'incomplete',
  'budget_exceeded',
  'cancelled',
] as const;
export type InteractionEnding = (typeof interactionEndings)[number];
