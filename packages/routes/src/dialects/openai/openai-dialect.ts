import type { GatewayRequest } from '../../gateway-request.ts';
import type { Dialect, DialectMethod } from '../dialect.ts';
import { withKeyHeader } from '../key-header.ts';
import { deploymentPath, isAzurePath, wirePath } from '../wire-path.ts';
import { generationMethod } from '../generation/generation-method.ts';
import { completions } from './completions.ts';
import { batchMethodOf } from './batches/batch-methods.ts';
import { fileMethodOf } from './file-methods.ts';
import { mediaMethodOf } from './media-methods.ts';
import { toResponseError } from './responses/response-error.ts';
import { responseMethodOf } from './responses/response-methods.ts';
import { vectorStoreMethodOf } from './vector-stores/vector-store-methods.ts';
import { videoMethodOf } from './videos/video-methods.ts';

const userAgent = /^(?:async)?openai\//i;

/**
 * Whether one of OpenAI's own client libraries asks, or one that is built upon them: by the name they give, or by the header that
 * all of their line send and another vendor's, which sends it too, marks with a version of its own.
 */
export const isOpenaiClient = (request: Pick<GatewayRequest, 'header'>): boolean =>
  userAgent.test(request.header('user-agent') ?? '') ||
  (request.header('x-stainless-lang') !== null && request.header('anthropic-version') === null);

const completing = generationMethod(completions);

const methodOf = (request: GatewayRequest, path: string): DialectMethod | null => {
  if (request.method === 'POST' && path === completions.path) return completing;
  return (
    fileMethodOf(request, path) ??
    batchMethodOf(request, path) ??
    mediaMethodOf(request, path) ??
    vectorStoreMethodOf(request, path) ??
    videoMethodOf(request, path) ??
    responseMethodOf(request, path)
  );
};

const responsesPath = /\/responses(?:\/|$)/;

const atContractPath = (basePath: string, asked: GatewayRequest): GatewayRequest => {
  const named = deploymentPath(basePath, asked.path) ?? { path: wirePath(basePath, asked.path) };
  if (named.path === asked.path) return asked;
  const request = { ...asked, ...named };
  return isAzurePath(basePath, asked.path) ? { ...request, header: withKeyHeader(asked, 'api-key') } : request;
};

// chat:compat:openai
/**
 * What these clients find at a path of their own, and a mark on their requests, by which records use their words
 */
export const openaiDialect: Dialect = {
  read: (basePath, asked) => {
    const request = atContractPath(basePath, asked);
    const isTheirs = asked.dialect === undefined && isOpenaiClient(asked);
    return { request: isTheirs ? { ...request, dialect: 'openai' } : request, isSpoken: true };
  },
  methodOf,
  toError: (answer, body, request) =>
    responsesPath.test(request.path) ? toResponseError(answer, body, request) : answer,
};
