import { createHash } from 'node:crypto';
import { GatewayError, limits } from '@tollgate/contract';
import { listDocuments, type Access, type ListedDocument } from '@tollgate/engine';
import { fingerprint } from '../../../fingerprint.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { identityOf } from '../../../identity-of.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { readJson } from '../../../read-json.ts';
import { createdAnswer } from '../../../resources/create-resource-answer.ts';
import type { Service } from '../../../service.ts';
import { countDocuments, statusOfDocument, storeDocumentsMax } from '../../../stores/listed-documents.ts';
import { requireStore } from '../../../stores/store-contents.ts';
import { listPage } from '../list-page.ts';
import { addFiles } from './add-files.ts';
import { batchOf, storeFile } from './store-files.ts';
import { parseFileBatch } from './vector-store-body.ts';

/** A hash in the form of every id. */
const uuidOf = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

const batchObject = (storeId: string, id: string, documents: readonly ListedDocument[]) => {
  const counts = countDocuments(documents);
  return {
    id,
    object: 'vector_store.files_batch',
    created_at: Math.floor(Math.min(...documents.map(({ resource }) => resource.createdAtMs)) / 1_000),
    vector_store_id: storeId,
    status: counts.in_progress > 0 ? 'in_progress' : 'completed',
    file_counts: counts,
  };
};

/**
 * A batch of files is what its documents have in common: each keeps the id of the batch, and nothing else has it. The id follows from
 * what identifies the request, so that a repeat finds the same batch.
 */
const newBatchId = ({ engine }: Service, identity: string | null, storeId: string): string =>
  `vsfb_${identity === null ? engine.newId() : uuidOf(`${storeId}\n${identity}`)}`;

/** `POST /vector_stores/{id}/file_batches`. */
export const createFileBatch = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  storeId: string,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const { value, bytes } = await readJson(service, request, limits.bodyBytesMax.other);
  const files = parseFileBatch(value);
  const id = newBatchId(service, identity, storeId);
  const print = fingerprint(request.method, `/vector_stores/${storeId}/file_batches`, bytes);
  const created = await addFiles(service, { access, identity, fingerprint: print, storeId, batch: id }, files);
  const [first] = created;
  if (first === undefined) throw new Error('a batch of no files');
  return createdAnswer(
    first,
    JSON.stringify(
      batchObject(
        storeId,
        id,
        created.map(({ found }) => found),
      ),
    ),
  );
};

const requireBatch = async (
  service: Service,
  access: Access,
  storeId: string,
  id: string,
): Promise<readonly ListedDocument[]> => {
  const { resource } = await requireStore(service, access, storeId);
  const documents = await listDocuments(service.engine, resource.id, storeDocumentsMax);
  const found = documents.filter((document) => batchOf(document) === id);
  if (found.length === 0) throw new GatewayError('not_found', { detail: 'There is no such batch of files.' });
  return found;
};

/** `GET /vector_stores/{id}/file_batches/{batch_id}`. */
export const getFileBatch = async (
  service: Service,
  access: Access,
  storeId: string,
  id: string,
): Promise<GatewayResponse> => {
  const documents = await requireBatch(service, access, storeId, id);
  return jsonAnswer(JSON.stringify(batchObject(storeId, id, documents)));
};

/** The files of a list, page by page, of one status if the query names one. */
export const filePage = (documents: readonly ListedDocument[], query: string): string => {
  const status = new URLSearchParams(query).get('filter');
  const shown = documents.filter((document) => status === null || statusOfDocument(document) === status);
  return JSON.stringify(listPage(shown.map(storeFile), query));
};

/** `GET /vector_stores/{id}/file_batches/{batch_id}/files`. */
export const listBatchFiles = async (
  service: Service,
  access: Access,
  { storeId, id, query }: { readonly storeId: string; readonly id: string; readonly query: string },
): Promise<GatewayResponse> => jsonAnswer(filePage(await requireBatch(service, access, storeId, id), query));
