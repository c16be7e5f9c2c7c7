import { isGatewayError } from '@tollgate/contract';
import { openBatch, type ResourcePlan } from '@tollgate/engine';
import { openPreparedBatch } from '../../batches/create-batch.ts';
import type { PreparedBatch } from '../../batches/plan-batch.ts';
import type { GatewayRequest } from '../../gateway-request.ts';
import { createPlanned, type CreatedResource } from '../../resources/create-resource-answer.ts';
import type { BatchOwner } from './item-reader.ts';
import type { SentItem } from './prepare-items.ts';
import { readBatchFile, requireBatchFile, type LineForm } from './read-batch-file.ts';

type Named = Pick<ResourcePlan, 'access' | 'identity' | 'fingerprint'>;

/** A batch that was opened before under the same key, although its file is gone by now. Throws `cause` where there is none. */
const recoverBatch = async (
  { service }: BatchOwner,
  { model, ...named }: Named & { readonly model: string },
  cause: unknown,
): Promise<CreatedResource> => {
  if (named.identity === null || !isGatewayError(cause)) throw cause;
  const { code } = cause;
  try {
    return await createPlanned(service, {
      ...named,
      kind: 'batch',
      model,
      estimate: null,
      refusal: code,
      draft: openBatch({ displayName: null, keys: [] }, { blobKey: '', ends: [], mediaKeys: [] }),
      uses: [],
    });
  } catch (refused) {
    throw isGatewayError(refused) && refused.code === code ? cause : refused;
  }
};

/** A batch of a file as a wire asks for it. */
export interface FileBatch extends Named {
  readonly fileId: string;
  readonly form: LineForm;
  /** The model of a batch that was opened before, where its file is gone by now. */
  readonly model: string;
  readonly prepare: (sent: readonly SentItem[]) => Promise<PreparedBatch>;
}

/** Opens the batch of the requests in a file. */
export const openFileBatch = async (
  owner: BatchOwner,
  asked: GatewayRequest,
  { fileId, form, model, prepare, ...named }: FileBatch,
): Promise<CreatedResource> => {
  let file;
  try {
    file = await requireBatchFile(owner, { id: fileId, field: form.field });
  } catch (cause) {
    return recoverBatch(owner, { ...named, model }, cause);
  }
  const { sent, release } = await readBatchFile(owner, asked, file, form);
  return openPreparedBatch(owner.service, { ...named, prepare: () => prepare(sent), release });
};
