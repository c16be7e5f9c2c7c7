import { GatewayError } from '@tollgate/contract';
import { mediaBlobKey, type Access } from '@tollgate/engine';
import { requireFile } from '../../files/file-queries.ts';
import type { GatewayRequest, GatewayResponse } from '../../gateway-request.ts';
import { contentAnswer } from '../../resources/content-answer.ts';
import { safeFileName } from '../../resources/safe-file-name.ts';
import type { Service } from '../../service.ts';

/** GET /files/{id}/content: the bytes of a file of the project, as they were uploaded. */
export const getFileContent = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => {
  const file = await requireFile(service, access, id);
  if (file.status === 'expired' || file.status === 'deleted')
    throw new GatewayError('not_found', {
      detail: `The file has ${file.status === 'deleted' ? 'been deleted' : 'expired'}.`,
    });
  return contentAnswer(service, request, {
    blobKey: mediaBlobKey(file.id),
    sizeBytes: file.sizeBytes,
    mimeType: file.mimeType,
    fileName: safeFileName(file.displayName),
    // A document of a client is never shown as a page of this service.
    disposition: 'attachment',
    tag: file.sha256,
  });
};
