import { isRecord } from '@tollgate/contract';
import type { Access, ResourceWire } from '@tollgate/engine';
import { createBatchOf, readBatchBody } from '../../../batches/create-batch.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { identityOf } from '../../../identity-of.ts';
import type { MediaJsonBody } from '../../../media-json/read-media-json.ts';
import { createdAnswer } from '../../../resources/create-resource-answer.ts';
import { selectedRow } from '../../../resolve-model.ts';
import type { Service } from '../../../service.ts';
import type { BatchOwner } from '../../batches/item-reader.ts';
import { openFileBatch } from '../../batches/open-file-batch.ts';
import { prepareItems } from '../../batches/prepare-items.ts';
import type { LineForm } from '../../batches/read-batch-file.ts';
import { batchEndpoints } from './batch-endpoints.ts';
import { batchObject, fileBatchWire } from './batch-object.ts';
import { parseBatchLine, parseFileBatch, type FileBatchRequest } from './batch-request.ts';

const wireOfRequest = ({ inputFileId, endpoint, metadata }: FileBatchRequest): ResourceWire => ({
  name: fileBatchWire,
  echo: { input_file_id: inputFileId, endpoint, metadata: metadata ?? null },
});

const lineForm = ({ endpoint }: FileBatchRequest): LineForm => {
  const { mediaPlaces, dataUrls } = batchEndpoints[endpoint];
  return {
    field: 'input_file_id',
    keyField: 'custom_id',
    mediaPlaces: mediaPlaces.map((place) => `body.${place}`),
    dataUrls,
    parse: (line) => parseBatchLine(line, endpoint),
  };
};

const createFileBatch = async (
  owner: BatchOwner,
  asked: GatewayRequest,
  { value, fingerprint, release }: MediaJsonBody,
): Promise<GatewayResponse> => {
  try {
    const { access, service } = owner;
    const wanted = parseFileBatch(value);
    const created = await openFileBatch(owner, asked, {
      access,
      identity: identityOf(asked),
      fingerprint,
      fileId: wanted.inputFileId,
      form: lineForm(wanted),
      model: selectedRow(service, access, 'chat')?.id ?? '',
      prepare: (sent) => prepareItems(owner, batchEndpoints[wanted.endpoint], sent, wireOfRequest(wanted)),
    });
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
