import type { GatewayRequest } from '../../../gateway-request.ts';
import type { DialectMethod } from '../../dialect.ts';
import { generationMethod } from '../../generation/generation-method.ts';
import { responses } from './responses.ts';
import {
  cancelResponse,
  countInputTokens,
  deleteResponse,
  getResponse,
  listInputItems,
  streamResponse,
} from './stored-responses.ts';

const creating = generationMethod(responses);

const counting: DialectMethod = {
  route: 'createChatCompletion',
  purpose: 'query',
  run: countInputTokens,
};

const querying = (run: DialectMethod['run']): DialectMethod => ({ route: 'getRequest', purpose: 'query', run });

const isStreamed = ({ query }: GatewayRequest): boolean => new URLSearchParams(query).get('stream') === 'true';

const reading =
  (id: string): DialectMethod['run'] =>
  (service, access, request) =>
    isStreamed(request) ? streamResponse(service, access, request, id) : getResponse(service, access, id);

const itemPath = /^\/responses\/([^/]+)(?:\/(cancel|input_items))?$/;

const storedMethodOf = (method: string, id: string, action: string | undefined): DialectMethod | null => {
  if (action === undefined) {
    if (method === 'GET') return querying(reading(id));
    return method === 'DELETE' ? querying((service, access) => deleteResponse(service, access, id)) : null;
  }
  if (action === 'cancel')
    return method === 'POST' ? querying((service, access) => cancelResponse(service, access, id)) : null;
  return method === 'GET' ? querying((service, access, request) => listInputItems(service, access, request, id)) : null;
};

/** The methods of the Responses wire; null for any other path. */
export const responseMethodOf = ({ method }: GatewayRequest, path: string): DialectMethod | null => {
  if (method === 'POST' && path === '/responses') return creating;
  if (method === 'POST' && path === '/responses/input_tokens') return counting;
  const [, id, action] = itemPath.exec(path) ?? [];
  return id === undefined ? null : storedMethodOf(method, id, action);
};
