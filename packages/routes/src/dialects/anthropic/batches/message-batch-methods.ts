import { GatewayError } from '@tollgate/contract';
import { listResources, type Access, type FoundResource } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { cancelResourceOf, deleteResourceOf, requireResource } from '../../../resources/resource-queries.ts';
import type { Service } from '../../../service.ts';
import type { DialectMethod } from '../../dialect.ts';
import { listPage } from '../list-page.ts';
import { createMessageBatch } from './create-message-batch.ts';
import { isMessageBatch, messageBatch, messageBatchId, resourceIdOf } from './message-batch-object.ts';
import { sendMessageResults } from './message-batch-results.ts';

const nameOf = (id: string) => ({ kind: 'batch', id: resourceIdOf(id) }) as const;

/** A batch of messages of the project; any other batch is as good as none here. */
const requireMessageBatch = async (service: Service, access: Access, id: string): Promise<FoundResource> => {
  const found = await requireResource(service, access, nameOf(id));
  if (!isMessageBatch(found) || found.resource.availability === 'deleted') throw new GatewayError('not_found');
  return found;
};

type Run = (service: Service, access: Access, request: GatewayRequest, id: string) => Promise<GatewayResponse>;

const showBatch: Run = async (service, access, _, id) =>
  jsonAnswer(JSON.stringify(messageBatch(await requireMessageBatch(service, access, id))));

const cancelBatch: Run = async (service, access, request, id) => {
  await requireMessageBatch(service, access, id);
  await cancelResourceOf(service, access, nameOf(id));
  return showBatch(service, access, request, id);
};

const deleteBatch: Run = async (service, access, _, id) => {
  const { resource } = await requireMessageBatch(service, access, id);
  await deleteResourceOf(service, access, nameOf(id));
  const deleted = { id: messageBatchId(resource.id), type: 'message_batch_deleted' };
  return jsonAnswer(JSON.stringify(deleted));
};

const showResults: Run = async (service, access, { turn }, id) =>
  sendMessageResults({ service, found: await requireMessageBatch(service, access, id), turn });

const creating: DialectMethod = { route: 'createBatch', purpose: 'opening', run: createMessageBatch };

const listing: DialectMethod = {
  route: 'listBatches',
  purpose: 'query',
  run: async (service, access, { query }) => {
    const found = await listResources(service.engine, access.projectId, 'batch');
    return jsonAnswer(JSON.stringify(listPage(found.filter(isMessageBatch).map(messageBatch), query)));
  },
};

const ofBatch = (route: DialectMethod['route'], id: string, run: Run): DialectMethod => ({
  route,
  purpose: 'query',
  run: (service, access, request) => run(service, access, request, id),
});

const batchPath = /^\/messages\/batches\/([^/]+)(?:\/(cancel|results))?$/;

/** The methods of batches of messages; null for any other path. */
export const messageBatchMethodOf = ({ method }: GatewayRequest, path: string): DialectMethod | null => {
  if (path === '/messages/batches') {
    if (method === 'POST') return creating;
    return method === 'GET' ? listing : null;
  }
  const [, id, action] = batchPath.exec(path) ?? [];
  if (id === undefined) return null;
  switch (`${method} ${action ?? ''}`) {
    case 'GET ':
      return ofBatch('getBatch', id, showBatch);
    case 'DELETE ':
      return ofBatch('deleteBatch', id, deleteBatch);
    case 'POST cancel':
      return ofBatch('cancelBatch', id, cancelBatch);
    case 'GET results':
      return ofBatch('getBatch', id, showResults);
    default:
      return null;
  }
};
