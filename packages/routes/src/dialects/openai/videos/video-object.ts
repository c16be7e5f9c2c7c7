import { errorTable, GatewayError, isErrorCode } from '@tollgate/contract';
import { shownFieldsOf, wireOf, type Access, type FoundResource } from '@tollgate/engine';
import { requireResource } from '../../../resources/resource-queries.ts';
import type { Service } from '../../../service.ts';
import { videoSizeOf } from './video-size.ts';

/** The name of the form in which a video was asked for. */
export const videoWire = 'openai-video';

export const isOwnVideo = ({ resource }: Pick<FoundResource, 'resource'>): boolean =>
  wireOf(resource)?.name === videoWire;

/** A video of the project that is not deleted. */
export const requireVideo = async (service: Service, access: Access, id: string): Promise<FoundResource> => {
  const found = await requireResource(service, access, { kind: 'video', id });
  if (found.resource.availability === 'deleted') throw new GatewayError('not_found');
  return found;
};

const seconds = (ms: number): number => Math.floor(ms / 1_000);

/**
 * The words of this wire. A video whose outcome is unknown is none that has failed: its clients would send it again, and pay twice.
 */
const statusOf = ({ operation }: FoundResource): 'queued' | 'in_progress' | 'completed' | 'failed' => {
  switch (operation.state) {
    case 'preparing':
    case 'reserved':
      return 'queued';
    case 'processing':
    case 'cancelling':
    case 'settling':
    case 'uncertain':
      return 'in_progress';
    case 'completed':
    case 'failed':
      return operation.state;
  }
};

const errorOf = ({ operation }: FoundResource) => {
  if (operation.state !== 'failed') return null;
  const stored = operation.errorCode ?? 'request_failed';
  const code = isErrorCode(stored) ? stored : 'request_failed';
  return { code, message: errorTable[code].message };
};

/** A video as the clients of this wire read it. How far it is, no upstream reports. */
export const videoObject = (found: FoundResource) => {
  const { operation, resource } = found;
  const shown = shownFieldsOf(resource);
  const status = statusOf(found);
  const length = shown['duration_seconds'];
  return {
    id: resource.id,
    object: 'video',
    model: resource.model,
    status,
    progress: status === 'completed' ? 100 : 0,
    created_at: seconds(resource.createdAtMs),
    completed_at: status === 'completed' ? seconds(operation.endedAtMs ?? operation.updatedAtMs) : null,
    expires_at: resource.expiresAtMs === null ? null : seconds(resource.expiresAtMs),
    seconds: typeof length === 'number' ? String(length) : null,
    size: videoSizeOf(shown['resolution'], shown['aspect_ratio']),
    prompt: null,
    remixed_from_video_id: shown['video'] ?? null,
    error: errorOf(found),
  };
};
