import { isGatewayError, isRecord } from '@tollgate/contract';
import { openBatch, type Access, type ResourcePlan, type ResourceWire } from '@tollgate/engine';
import { createBatchOf, openPreparedBatch, readBatchBody } from '../../../batches/create-batch.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { identityOf } from '../../../identity-of.ts';
import type { MediaJsonBody } from '../../../media-json/read-media-json.ts';
import { createdAnswer, createPlanned, type CreatedResource } from '../../../resources/create-resource-answer.ts';
import { selectedRow } from '../../../resolve-model.ts';
import type { Service } from '../../../service.ts';
import type { BatchOwner } from '../../batches/item-reader.ts';
import { prepareItems } from '../../batches/prepare-items.ts';
import { batchEndpoints } from './batch-endpoints.ts';
import { batchObject, fileBatchWire } from './batch-object.ts';
import { parseFileBatch, type FileBatchRequest } from './batch-request.ts';
import { readBatchFile, requireBatchFile } from './read-batch-file.ts';

type Named = Pick<ResourcePlan, 'access' | 'identity' | 'fingerprint'>;

/** A batch that was opened before under the same key, although its file is gone by now. Throws `cause` where there is none. */
const recoverBatch = async (
  { service, access }: BatchOwner,
  named: Named,
  cause: unknown,
): Promise<CreatedResource> => {
  if (named.identity === null || !isGatewayError(cause)) throw cause;
  const { code } = cause;
  try {
    return await createPlanned(service, {
      ...named,
      kind: 'batch',
      model: selectedRow(service, access, 'chat')?.id ?? '',
      estimate: null,
      refusal: code,
      draft: openBatch({ displayName: null, keys: [] }, { blobKey: '', ends: [], mediaKeys: [] }),
      uses: [],
    });
  } catch (refused) {
    throw isGatewayError(refused) && refused.code === code ? cause : refused;
  }
};

const wireOfRequest = ({ inputFileId, endpoint, metadata }: FileBatchRequest): ResourceWire => ({
  name: fileBatchWire,
  echo: { input_file_id: inputFileId, endpoint, metadata: metadata ?? null },
});

const openFileBatch = async (
  owner: BatchOwner,
  asked: GatewayRequest,
  named: Named,
  wanted: FileBatchRequest,
): Promise<CreatedResource> => {
  let file;
  try {
    file = await requireBatchFile(owner, wanted.inputFileId);
  } catch (cause) {
    return recoverBatch(owner, named, cause);
  }
  const { sent, release } = await readBatchFile(owner, asked, file, wanted);
  const prepare = () => prepareItems(owner, batchEndpoints[wanted.endpoint], sent, wireOfRequest(wanted));
  return openPreparedBatch(owner.service, { ...named, prepare, release });
};

const createFileBatch = async (
  owner: BatchOwner,
  asked: GatewayRequest,
  { value, fingerprint, release }: MediaJsonBody,
): Promise<GatewayResponse> => {
  try {
    const named = { access: owner.access, identity: identityOf(asked), fingerprint };
    const created = await openFileBatch(owner, asked, named, parseFileBatch(value));
    return createdAnswer(created, JSON.stringify(batchObject(created.found)));
  } finally {
    await release();
  }
};

/** POST /batches: of a file where the body names one, else as the contract has it. */
export const createBatchOfEither = async (
  service: Service,
  access: Access,
  asked: GatewayRequest,
): Promise<GatewayResponse> => {
  identityOf(asked);
  const body = await readBatchBody(service, asked);
  return isRecord(body.value) && Object.hasOwn(body.value, 'input_file_id')
    ? createFileBatch({ service, access, turn: asked.turn }, asked, body)
    : createBatchOf(service, access, asked, body);
};
