/** A route of the contract; `{id}` and the like stand for what a request fills in. */
export interface ContractRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly hasBody: boolean;
}

const crud = (path: string): readonly ContractRoute[] => [
  { method: 'POST', path, hasBody: true },
  { method: 'GET', path, hasBody: false },
  { method: 'GET', path: `${path}/{id}`, hasBody: false },
  { method: 'DELETE', path: `${path}/{id}`, hasBody: false },
];

/** The resource types that take time or are kept, by their path. */
export const resourcePaths = {
  cache: '/caches',
  batch: '/batches',
  video: '/videos',
  store: '/stores',
  document: '/documents',
  interaction: '/interactions',
  agent: '/agents',
  environment: '/environments',
} as const;

/** Every route that the contract names, and no other. */
export const contractRoutes: readonly ContractRoute[] = [
  { method: 'GET', path: '/models', hasBody: false },
  { method: 'GET', path: '/models/{model}', hasBody: false },
  { method: 'POST', path: '/chat/completions', hasBody: true },
  { method: 'POST', path: '/models/{model}:generateContent', hasBody: true },
  { method: 'POST', path: '/models/{model}:streamGenerateContent', hasBody: true },
  { method: 'POST', path: '/embeddings', hasBody: true },
  ...crud('/files'),
  { method: 'GET', path: '/requests/{id}', hasBody: false },
  ...Object.values(resourcePaths).flatMap(crud),
  { method: 'PATCH', path: '/caches/{id}', hasBody: true },
  { method: 'POST', path: '/batches/{id}/cancel', hasBody: false },
  { method: 'POST', path: '/interactions/{id}/cancel', hasBody: false },
  { method: 'GET', path: '/videos/{id}/content', hasBody: false },
  { method: 'GET', path: '/interactions/{id}/content', hasBody: false },
  { method: 'GET', path: '/environments/{id}/files', hasBody: false },
  { method: 'POST', path: '/live', hasBody: true },
  ...crud('/webhooks'),
  { method: 'PATCH', path: '/webhooks/{id}', hasBody: true },
  { method: 'GET', path: '/webhooks/{id}/deliveries', hasBody: false },
  ...crud('/triggers'),
  { method: 'PATCH', path: '/triggers/{id}', hasBody: true },
  { method: 'GET', path: '/triggers/{id}/runs', hasBody: false },
];

export const unknownId = '01900000-0000-7000-8000-000000000000';

/** The path of a route, with a model and an id that exist nowhere unless they are given. */
export const pathOf = ({ path }: ContractRoute, { model, id = unknownId }: { model: string; id?: string }): string =>
  path.replace('{model}', model).replace('{id}', id);

const textErrors = [/^\/models$/u, /^\/models\/[^:/]+$/u, /^\/requests\/[^/]+$/u];

/** Whether a request reports errors as a text. */
export const tellsErrorsAsText = (method: string, path: string): boolean =>
  method === 'GET' && textErrors.some((pattern) => pattern.test(path));
