import { belowBase } from '../../below-base.ts';
import type { GatewayRequest } from '../../gateway-request.ts';
import { jsonAnswer } from '../../json-answer.ts';
import type { Dialect, DialectMethod } from '../dialect.ts';
import { generationMethod } from '../generation/generation-method.ts';
import { countGeneration } from '../generation/count-generation.ts';
import { withKeyHeader } from '../key-header.ts';
import { wirePath } from '../wire-path.ts';
import { toAnthropicError } from './anthropic-error.ts';
import { getAnthropicModel, listAnthropicModels } from './anthropic-models.ts';
import { messageBatchMethodOf } from './batches/message-batch-methods.ts';
import { messageCount, messages } from './messages.ts';

const creating = generationMethod(messages);

/** Free of charge. */
const counting: DialectMethod = {
  route: 'createChatCompletion',
  purpose: 'query',
  run: async (service, access, request) => {
    const tokens = await countGeneration({ service, access, request, dialect: messageCount });
    return jsonAnswer(JSON.stringify({ input_tokens: tokens }));
  },
};

const listing: DialectMethod = {
  route: 'listModels',
  purpose: 'query',
  run: (service, access, request) => jsonAnswer(listAnthropicModels(service, access, request)),
};

const showing = (id: string): DialectMethod => ({
  route: 'getModel',
  purpose: 'query',
  run: (service, access) => jsonAnswer(getAnthropicModel(service, access, id)),
});

const modelPath = /^\/models\/([^/:]+)$/;

const methodOf = (request: GatewayRequest, path: string): DialectMethod | null => {
  const { method } = request;
  if (method === 'POST' && path === '/messages') return creating;
  if (method === 'POST' && path === '/messages/count_tokens') return counting;
  const ofBatches = messageBatchMethodOf(request, path);
  if (ofBatches !== null) return ofBatches;
  if (method !== 'GET') return null;
  if (path === '/models') return listing;
  const id = modelPath.exec(path)?.[1];
  return id === undefined ? null : showing(id);
};

const ownPath = /^\/messages(?:\/|$)/;

/** The wire of Anthropic's clients: told by their version header, or by a path that only they have. */
export const anthropicDialect: Dialect = {
  read: (basePath, asked) => {
    const path = wirePath(basePath, asked.path);
    const isOwnPath = ownPath.test(belowBase(basePath, path) ?? '');
    if (!isOwnPath && asked.header('anthropic-version') === null) return { request: asked, isSpoken: false };
    const request: GatewayRequest = {
      ...asked,
      path,
      dialect: 'anthropic',
      header: withKeyHeader(asked, 'x-api-key'),
    };
    return { request, isSpoken: true };
  },
  methodOf,
  toError: toAnthropicError,
};
