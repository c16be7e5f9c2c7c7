import { checkFileSize, checkFileType, GatewayError, type LiftedData } from '@tollgate/contract';
import { createFile, describeQuota, type Access } from '@tollgate/engine';
import type { FileRecord } from '@tollgate/storage';
import { storedKeyOf } from '../media-json/lift-bytes.ts';
import { selectedRow } from '../resolve-model.ts';
import type { Service } from '../service.ts';

/** Makes a file of bytes that lie in the blob store, if they are what they are declared to be. */
export const keepFile = async (
  service: Service,
  access: Access,
  named: { readonly displayName: string; readonly mimeType: string; readonly purpose?: string | undefined },
  data: LiftedData,
): Promise<FileRecord> => {
  checkFileSize(data.sizeBytes);
  if (data.sizeBytes === 0)
    throw new GatewayError('invalid_request', { detail: 'The file is empty; accepted are files of 1 byte or more.' });
  const mimeType = checkFileType(named.mimeType, data);
  // The model that the uploading key is for: its provider is given a copy where it wants one.
  const model = selectedRow(service, access, 'chat');
  const created = await createFile(service.engine, {
    access,
    blobKey: storedKeyOf(data),
    displayName: named.displayName,
    purpose: named.purpose,
    mimeType,
    sizeBytes: data.sizeBytes,
    sha256: data.sha256,
    provider: model === null ? null : (service.models.providerOf(model)?.name ?? null),
    model: model?.id ?? null,
  });
  switch (created.kind) {
    case 'created':
      return created.file;
    case 'lost':
      throw new GatewayError('service_unavailable');
    case 'over_quota':
      throw new GatewayError('quota_exceeded', { detail: describeQuota(created.refusal) });
  }
};
