import { GatewayError } from '@tollgate/contract';
import { listResources, type Access } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { cancelResourceOf, getResource, requireResource } from '../../../resources/resource-queries.ts';
import type { Service } from '../../../service.ts';
import type { DialectMethod } from '../../dialect.ts';
import { listPage } from '../list-page.ts';
import { batchObject, isFileBatch } from './batch-object.ts';
import { createBatchOfEither } from './create-file-batch.ts';

const creating: DialectMethod = { route: 'createBatch', purpose: 'opening', run: createBatchOfEither };

/** GET /batches for these clients: the batches of files among the newest of the project. */
const listing: DialectMethod = {
  route: 'listBatches',
  purpose: 'query',
  run: async (service, access, { query }) => {
    const found = await listResources(service.engine, access.projectId, 'batch');
    return jsonAnswer(JSON.stringify(listPage(found.filter(isFileBatch).map(batchObject), query)));
  },
};

const showBatch = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  const name = { kind: 'batch', id } as const;
  const found = await requireResource(service, access, name);
  if (!isFileBatch(found)) return getResource(service, access, name);
  if (found.resource.availability === 'deleted') throw new GatewayError('not_found');
  return jsonAnswer(JSON.stringify(batchObject(found)));
};

const cancelBatch = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  const name = { kind: 'batch', id } as const;
  const contract = await cancelResourceOf(service, access, name);
  return isFileBatch(await requireResource(service, access, name)) ? showBatch(service, access, id) : contract;
};

const batchPath = /^\/batches\/([^/]+)(\/cancel)?$/;

/**
 * The methods of batches of a file. A batch has the form in which it was asked for, for every client; the list has it for the
 * clients of this wire.
 */
export const batchMethodOf = ({ method, dialect }: GatewayRequest, path: string): DialectMethod | null => {
  if (path === '/batches') {
    if (method === 'POST') return creating;
    return method === 'GET' && dialect === 'openai' ? listing : null;
  }
  const [, id, cancel] = batchPath.exec(path) ?? [];
  if (id === undefined) return null;
  if (cancel !== undefined)
    return method === 'POST'
      ? { route: 'cancelBatch', purpose: 'query', run: (service, access) => cancelBatch(service, access, id) }
      : null;
  return method === 'GET'
    ? { route: 'getBatch', purpose: 'query', run: (service, access) => showBatch(service, access, id) }
    : null;
};
