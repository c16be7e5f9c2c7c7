// catalog:family:vocabulary
/** What a model is for. */
export const modelFamilies = [
  'text',
  'image',
  'speech',
  'video',
  'music',
  'transcription',
  'embedding',
  'realtime',
] as const;
export type ModelFamily = (typeof modelFamilies)[number];

/** The routes on which a model can be asked to generate. */
export const routeFamilies = ['chat', 'generate', 'embeddings', 'videos', 'interactions', 'live'] as const;
export type RouteFamily = (typeof routeFamilies)[number];
