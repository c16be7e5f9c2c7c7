import type { RouteId } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import type { GatewayRequest } from '../../gateway-request.ts';
import { jsonAnswer } from '../../json-answer.ts';
import type { Service } from '../../service.ts';
import { sendVideo } from '../../videos/get-video-content.ts';
import type { Dialect, DialectMethod } from '../dialect.ts';
import { countTokens } from './models/count-tokens.ts';
import { embedContent, type EmbedMethod } from './models/embed-content.ts';
import { deleteGoogleFile, getGoogleFile, listGoogleFiles } from './files/google-file.ts';
import { resourceMethodOf } from './collections.ts';
import { toGoogleError } from './google-error.ts';
import { resultsOfPath } from './batches/batch-result-file.ts';
import { createGoogleBatch, sendBatchResponses } from './batches/google-batch.ts';
import {
  cancelGoogleInteraction,
  createGoogleInteraction,
  getGoogleInteraction,
} from './interactions/google-interactions.ts';
import { createGoogleVideo, getGoogleVideo } from './videos/google-video.ts';
import { getGoogleModel, listGoogleModels } from './models/google-models.ts';
import { fromGoogleRequest } from './google-request.ts';
import { fileSearchMethodOf } from './file-search/file-search-methods.ts';
import type { BatchMethod } from './batches/to-batch-body.ts';
import { uploadGoogleFile } from './files/upload-google-file.ts';
import { downloadOf } from './videos/video-file.ts';

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

const embedding = (model: string, method: EmbedMethod): DialectMethod => ({
  route: 'createEmbeddings',
  purpose: 'opening',
  run: (service, access, request) => embedContent(service, access, request, { model, method }),
});

const batching = (model: string, method: BatchMethod): DialectMethod => ({
  route: 'createBatch',
  purpose: 'opening',
  run: (service, access, request) => createGoogleBatch(service, access, request, { model, method }),
});

const counting = (model: string): DialectMethod => ({
  route: 'generateContent',
  purpose: 'query',
  run: (service, access, request) => countTokens(service, access, request, model),
});

const query = (
  route: RouteId,
  answer: (service: Service, access: Access, request: GatewayRequest) => string,
): DialectMethod => ({
  route,
  purpose: 'query',
  run: (service, access, request) => Promise.resolve().then(() => jsonAnswer(answer(service, access, request))),
});

const answered = (route: RouteId, answer: (service: Service, access: Access) => Promise<string>): DialectMethod => ({
  route,
  purpose: 'query',
  run: async (service, access) => jsonAnswer(await answer(service, access)),
});

const uploading: DialectMethod = { route: 'createFile', purpose: 'query', run: uploadGoogleFile };

const filePath = /^\/files\/([^/]+)$/;

const ofVideo = (route: RouteId, purpose: DialectMethod['purpose'], run: DialectMethod['run']): DialectMethod => ({
  route,
  purpose,
  run,
});

const operationPath = /^(?:\/models\/([^/:]+))?\/operations\/([^/:]+)$/;

/** Videos are operations that their clients poll, and files that they download. */
const videoMethodOf = (method: string, path: string): DialectMethod | null => {
  if (method !== 'GET') return null;
  const file = downloadOf(path);
  if (file !== null)
    return ofVideo('getVideoContent', 'query', (service, access, request) => sendVideo(service, access, request, file));
  const [, named, id] = operationPath.exec(path) ?? [];
  return id === undefined
    ? null
    : ofVideo('getVideo', 'query', (service, access, request) =>
        getGoogleVideo(service, access, request, { id, model: named === undefined ? null : decode(named) }),
      );
};

/** Files are uploaded by a path of this dialect's own, and shown in its own form. */
const fileMethodOf = (method: string, path: string): DialectMethod | null => {
  if (method === 'POST') return path === '/upload/files' ? uploading : null;
  if (method === 'GET' && path === '/files') return answered('listFiles', listGoogleFiles);
  const batchId = method === 'GET' ? resultsOfPath(path) : null;
  if (batchId !== null)
    return {
      route: 'getBatch',
      purpose: 'query',
      run: (service, access, request) => sendBatchResponses(service, access, request, batchId),
    };
  const id = filePath.exec(path)?.[1];
  if (id === undefined) return null;
  if (method === 'GET') return answered('getFile', (service, access) => getGoogleFile(service, access, id));
  return method === 'DELETE'
    ? answered('deleteFile', (service, access) => deleteGoogleFile(service, access, id))
    : null;
};

const interactionPath = /^\/interactions\/([^/]+)(\/cancel)?$/;

/** Interactions are made by their own route, and shown in the form of this dialect. */
const interactionMethodOf = (method: string, path: string): DialectMethod | null => {
  if (method === 'POST' && path === '/interactions')
    return { route: 'createInteraction', purpose: 'opening', run: createGoogleInteraction };
  const [, id, cancel] = interactionPath.exec(path) ?? [];
  if (id === undefined) return null;
  if (method === 'GET' && cancel === undefined)
    return {
      route: 'getInteraction',
      purpose: 'query',
      run: (service, access, request) => getGoogleInteraction(service, access, request, id),
    };
  return method === 'POST' && cancel !== undefined
    ? {
        route: 'cancelInteraction',
        purpose: 'query',
        run: (service, access) => cancelGoogleInteraction(service, access, id),
      }
    : null;
};

const modelPath = /^\/models\/([^/:]+)(?::(\w+))?$/;

/** What the contract does not have, or has in another form; null where its own route answers. */
const methodOf = (asked: GatewayRequest, path: string): DialectMethod | null => {
  const { method } = asked;
  if (method === 'GET' && path === '/models') return query('listModels', listGoogleModels);
  const ofResources =
    videoMethodOf(method, path) ??
    fileMethodOf(method, path) ??
    interactionMethodOf(method, path) ??
    fileSearchMethodOf(asked, path) ??
    resourceMethodOf(method, path);
  if (ofResources !== null) return ofResources;
  const match = modelPath.exec(path);
  const model = decode(match?.[1] ?? '');
  if (match === null || model === null) return null;
  const action = match[2];
  if (method === 'GET' && action === undefined)
    return answered('getModel', async (service, access) => getGoogleModel(service, access, model));
  if (method !== 'POST') return null;
  if (action === 'countTokens') return counting(model);
  if (action === 'predictLongRunning')
    return ofVideo('createVideo', 'opening', (service, access, request) =>
      createGoogleVideo(service, access, request, model),
    );
  if (action === 'batchGenerateContent' || action === 'asyncBatchEmbedContent') return batching(model, action);
  return action === 'embedContent' || action === 'batchEmbedContents' ? embedding(model, action) : null;
};

// generate:compat:google
/** The credential, the paths, and the forms of errors and models of Google's clients. */
export const googleDialect: Dialect = {
  read: (basePath, asked) => {
    const request = fromGoogleRequest(basePath, asked);
    return { request, isSpoken: request.dialect === 'google' };
  },
  methodOf,
  toError: (answer, body) => ({ ...answer, body: toGoogleError(answer.status, body) }),
};
