import { GatewayError, isRecord } from '@tollgate/contract';
import { belowBase } from '../../below-base.ts';
import type { GatewayRequest, GatewayResponse } from '../../gateway-request.ts';
import { jsonAnswer } from '../../json-answer.ts';
import type { Dialect, DialectMethod } from '../dialect.ts';
import { generationMethod } from '../generation/generation-method.ts';
import { embed, type EmbedPath } from './ollama-embed.ts';
import { ollamaChat, ollamaGenerate } from './ollama-generation.ts';
import { listTags, showModel } from './ollama-models.ts';

/** The version of the wire, which clients compare with the one that they need. */
const wireVersion = '0.13.0';

const embedding = (path: EmbedPath): DialectMethod => ({
  route: 'createEmbeddings',
  purpose: 'opening',
  run: (service, access, request) => embed(service, access, request, path),
});

const reading = (route: 'listModels' | 'getModel', run: DialectMethod['run']): DialectMethod => ({
  route,
  purpose: 'query',
  run,
});

/** Clients of this wire have a server get models and remove them; here the host chooses them. */
const refusing = reading('listModels', () => {
  throw new GatewayError('unsupported_parameter', {
    detail: 'The models are those of the host, and no request adds or removes one; GET /api/tags lists them.',
  });
});

const methods: ReadonlyMap<string, DialectMethod> = new Map([
  ['POST /api/chat', generationMethod(ollamaChat)],
  ['POST /api/generate', generationMethod(ollamaGenerate)],
  ['POST /api/embed', embedding('/api/embed')],
  ['POST /api/embeddings', embedding('/api/embeddings')],
  ['GET /api/tags', reading('listModels', (service, access) => jsonAnswer(listTags(service, access)))],
  // No model waits in the memory of this service.
  ['GET /api/ps', reading('listModels', () => jsonAnswer(JSON.stringify({ models: [] })))],
  ['GET /api/version', reading('listModels', () => jsonAnswer(JSON.stringify({ version: wireVersion })))],
  [
    'POST /api/show',
    reading('getModel', async (service, access, request) => jsonAnswer(await showModel(service, access, request))),
  ],
  ['POST /api/pull', refusing],
  ['POST /api/push', refusing],
  ['POST /api/create', refusing],
  ['POST /api/copy', refusing],
  ['DELETE /api/delete', refusing],
]);

const paths: ReadonlySet<string> = new Set([...methods.keys()].map((key) => key.slice(key.indexOf(' ') + 1)));

/** The path of this wire, at the root or below the base path; null for any other. */
const ownPath = (basePath: string, path: string): string | null =>
  [belowBase(basePath, path), path].find((each) => each !== null && paths.has(each)) ?? null;

const messageOf = (body: string): string => {
  const parsed: unknown = JSON.parse(body);
  const error = isRecord(parsed) ? parsed['error'] : parsed;
  return String(isRecord(error) ? error['message'] : error);
};

/** These clients read the error as a text. */
const toError = (answer: GatewayResponse, body: string): GatewayResponse => ({
  ...answer,
  body: JSON.stringify({ error: messageOf(body) }),
});

/** The wire of Ollama's clients: their paths, at the root or below the base path. */
export const ollamaDialect: Dialect = {
  read: (basePath, asked) => {
    const path = ownPath(basePath, asked.path);
    return path === null
      ? { request: asked, isSpoken: false }
      : { request: { ...asked, path: `${basePath}${path}` }, isSpoken: true };
  },
  methodOf: ({ method }: GatewayRequest, path) => methods.get(`${method} ${path}`) ?? null,
  toError,
};
