import { z } from 'zod';
import { ModelPrices } from './model-prices.ts';

// models:capabilities:values
/** Capabilities the contract names; a host's catalog may show others. */
export const knownCapabilities = [
  'chat',
  'image_input',
  'audio_input',
  'video_input',
  'pdf_input',
  'structured_output',
  'functions',
  'code_execution',
  'url_context',
] as const;

// models:record:fields
/** A public model as GET /models shows it. */
export const Model = z.looseObject({
  id: z.string(),
  object: z.literal('model'),
  name: z.string(),
  family: z.string(),
  profile: z.string(),
  consumption: z.string(),
  recommended: z.boolean(),
  available: z.boolean(),
  usable_with_key: z.boolean(),
  unavailable_reason: z.string().nullable(),
  capabilities: z.array(z.string()).readonly(),
  /** Present where the host shows its prices. */
  prices: ModelPrices.exactOptional(),
});
export type Model = Readonly<z.infer<typeof Model>>;

// models:list:envelope
/** The answer of GET /models. */
export const ModelList = z.looseObject({
  object: z.literal('list'),
  selected_model: z.string(),
  data: z.array(Model).readonly(),
});
export type ModelList = Readonly<z.infer<typeof ModelList>>;
