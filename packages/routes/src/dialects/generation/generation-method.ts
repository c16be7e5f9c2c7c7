import type { DialectMethod } from '../dialect.ts';
import { createGeneration } from './create-generation.ts';
import type { GenerationDialect } from './generation-dialect.ts';

/** The method by which a dialect generates. It has the rate limit of the route whose models it asks. */
export const generationMethod = (dialect: GenerationDialect): DialectMethod => ({
  route: dialect.kind === 'generate' ? 'generateContent' : 'createChatCompletion',
  purpose: 'opening',
  run: (service, access, request) => createGeneration({ service, access, request, dialect }),
});
