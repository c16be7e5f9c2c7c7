import { GatewayError } from '@tollgate/contract';
import { keptMedia, type Access } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { checkFinished, contentAnswer, contentIndex } from '../resources/content-answer.ts';
import { requireResource } from '../resources/resource-queries.ts';
import type { Service } from '../service.ts';

/** The bytes of one of the videos of a resource. */
export const sendVideo = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  { id, index }: { readonly id: string; readonly index: number },
): Promise<GatewayResponse> => {
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

// videos:content:*
/** GET /videos/{id}/content. */
export const getVideoContent = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => sendVideo(service, access, request, { id, index: contentIndex(request) });
