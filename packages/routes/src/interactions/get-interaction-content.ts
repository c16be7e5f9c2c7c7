import { GatewayError } from '@tollgate/contract';
import { interactionWork, type Access } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { checkFinished, contentAnswer, contentIndex } from '../resources/content-answer.ts';
import { requireResource } from '../resources/resource-queries.ts';
import type { Service } from '../service.ts';

// interactions:output:content-binary
/** GET /interactions/{id}/content: the bytes of one of the media that came out. */
export const getInteractionContent = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => {
  const index = contentIndex(request);
  const found = await requireResource(service, access, { kind: 'interaction', id });
  checkFinished(found);
  const work = interactionWork(found.resource.work);
  const medium = work?.phase === 'ended' ? work.media[index] : undefined;
  if (medium === undefined)
    throw new GatewayError('not_found', { detail: 'There is no content of this index, or its time is over.' });
  return contentAnswer(service, request, {
    blobKey: medium.blobKey,
    sizeBytes: medium.sizeBytes,
    mimeType: 'application/octet-stream',
    fileName: `interaction-${id}-${index}`,
    disposition: 'attachment',
    tag: `${id}-${index}`,
  });
};
