import type { CatalogModel } from 'tollgate';
import { required, type Environment } from './environment.ts';

/** What both models are able to do. A request for anything else is refused before it reaches the upstream. */
const shared = {
  family: 'text',
  preview: false,
  upstreamKind: 'model',
  routes: ['chat', 'generate', 'interactions'],
  capabilities: ['chat', 'image_input', 'structured_output', 'functions'],
  maxOutputTokens: 32_768,
  contextTokens: 128_000,
} as const;

/** The models that customers see. Their ids are yours; the names that the upstream knows are settings. */
export const modelsOf = (environment: Environment): readonly CatalogModel[] => [
  {
    ...shared,
    id: 'small',
    name: 'Small',
    profile: 'Fast, for short answers.',
    consumption: 'Charged by token at the lower price.',
    recommended: true,
    upstreamId: required(environment, 'SMALL_MODEL'),
  },
  {
    ...shared,
    id: 'large',
    name: 'Large',
    profile: 'Thorough, for long work.',
    consumption: 'Charged by token at the higher price.',
    recommended: false,
    upstreamId: required(environment, 'LARGE_MODEL'),
  },
];
