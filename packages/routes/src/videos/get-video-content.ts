import { GatewayError } from '@tollgate/contract';
import { keptMedia, type Access, type FoundResource } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { contentAnswer, contentIndex } from '../resources/content-answer.ts';
import { requireResource } from '../resources/resource-queries.ts';
import type { Service } from '../service.ts';

/** Whether there can be content: not yet (409), or never or no more (404). */
const checkFinished = ({ operation, resource }: FoundResource): void => {
  if (resource.standing === 'deleted' || resource.standing === 'expired')
    throw new GatewayError('not_found', { detail: 'The video has been deleted or has expired.' });
  if (operation.endedAtMs === null)
    throw new GatewayError('request_in_progress', { detail: 'The video is not finished.' });
};

/** GET /videos/{id}/content: the bytes of one of its videos (videos:content:*). */
export const getVideoContent = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => {
  const index = contentIndex(request);
  const found = await requireResource(service, access, { kind: 'video', id });
  checkFinished(found);
  const medium = keptMedia(found.resource)[index];
  if (medium === undefined) throw new GatewayError('not_found', { detail: 'There is no video of this index.' });
  const { blobKey, sizeBytes, mimeType } = medium;
  return contentAnswer(service, request, {
    blobKey,
    sizeBytes,
    mimeType,
    fileName: `video-${id}-${index}.mp4`,
    disposition: 'inline',
    tag: `${id}-${index}`,
  });
};
