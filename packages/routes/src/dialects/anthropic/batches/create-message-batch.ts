import { GatewayError, isKeptText, isRecord, limits, listError, readAt, type JsonRecord } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import { z } from 'zod';
import { openPreparedBatch } from '../../../batches/create-batch.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { identityOf } from '../../../identity-of.ts';
import { readMediaJson } from '../../../media-json/read-media-json.ts';
import { createdAnswer } from '../../../resources/create-resource-answer.ts';
import type { Service } from '../../../service.ts';
import { generationReader } from '../../batches/item-reader.ts';
import { prepareItems, type SentItem } from '../../batches/prepare-items.ts';
import { messages } from '../messages.ts';
import { messageBatch, messageBatchWire } from './message-batch-object.ts';

const { requestsMax, keyCharsMax } = limits.batch;

const Body = z.strictObject({
  requests: z
    .array(
      z.strictObject({
        custom_id: z.string().min(1).max(keyCharsMax).refine(isKeptText),
        params: z.custom<JsonRecord>(isRecord),
      }),
    )
    .min(1)
    .max(requestsMax),
});

/** The requests of a body. They are counted first, so that a very long list costs one fault. */
const parseMessageBatch = (body: unknown): readonly SentItem[] => {
  const list = isRecord(body) ? body['requests'] : undefined;
  if (Array.isArray(list) && list.length > requestsMax) throw listError(['requests'], list, [1, requestsMax]);
  const { requests } = readAt(Body, body);
  const keys = new Set<string>();
  return requests.map(({ custom_id: key, params }, place) => {
    if (keys.has(key))
      throw new GatewayError('invalid_request', {
        detail: `The field requests[${place}].custom_id repeats an earlier one; accepted are ids that differ.`,
      });
    keys.add(key);
    return { key, where: `In requests[${place}].params`, body: params };
  });
};

const reader = generationReader(messages);
const path = '/messages/batches';

/** `POST /messages/batches`: bodies of messages, run in the background at batch prices. */
export const createMessageBatch = async (
  service: Service,
  access: Access,
  asked: GatewayRequest,
): Promise<GatewayResponse> => {
  const identity = identityOf(asked);
  const { value, fingerprint, release } = await readMediaJson(service, asked, {
    path,
    bytesMax: limits.bodyBytesMax.batches,
    places: messages.mediaPlaces.map((place) => `requests.*.params.${place}`),
  });
  const wire = { name: messageBatchWire, echo: {} };
  const prepare = async () => prepareItems({ service, access }, reader, parseMessageBatch(value), wire);
  const created = await openPreparedBatch(service, { access, identity, fingerprint, prepare, release });
  return createdAnswer(created, JSON.stringify(messageBatch(created.found)));
};
