import { z } from 'zod';
import { ModelPrices } from './model-prices.ts';

/** Capabilities the contract names; a host's catalog may show others [models:capabilities:values]. */
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

/** A public model as GET /models shows it [models:record:fields]. */
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

/** The answer of GET /models [models:list:envelope]. */
export const ModelList = z.looseObject({
  object: z.literal('list'),
  selected_model: z.string(),
  data: z.array(Model).readonly(),
});
export type ModelList = Readonly<z.infer<typeof ModelList>>;
