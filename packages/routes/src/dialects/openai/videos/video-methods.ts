import { GatewayError } from '@tollgate/contract';
import { listResources, type Access } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { deleteResourceOf, getResource, requireResource } from '../../../resources/resource-queries.ts';
import type { Service } from '../../../service.ts';
import { getVideoContent } from '../../../videos/get-video-content.ts';
import type { DialectMethod } from '../../dialect.ts';
import { listPage } from '../list-page.ts';
import { createVideoOfEither, extendVideo } from './create-own-video.ts';
import { isOwnVideo, requireVideo, videoObject } from './video-object.ts';

const nameOf = (id: string) => ({ kind: 'video', id }) as const;

/** A video has the form in which it was asked for, for every client. */
const showVideo = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  if (!isOwnVideo(await requireResource(service, access, nameOf(id)))) return getResource(service, access, nameOf(id));
  return jsonAnswer(JSON.stringify(videoObject(await requireVideo(service, access, id))));
};

const deleteVideo = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  const found = await requireResource(service, access, nameOf(id));
  const contract = await deleteResourceOf(service, access, nameOf(id));
  if (!isOwnVideo(found)) return contract;
  const deleted = { id: found.resource.id, object: 'video.deleted', deleted: true };
  return jsonAnswer(JSON.stringify(deleted));
};

const listing: DialectMethod = {
  route: 'listVideos',
  purpose: 'query',
  run: async (service, access, { query }) => {
    const found = await listResources(service.engine, access.projectId, 'video');
    return jsonAnswer(JSON.stringify(listPage(found.filter(isOwnVideo).map(videoObject), query)));
  },
};

/** Only the video itself is kept. */
const sendContent = (service: Service, access: Access, request: GatewayRequest, id: string) => {
  const variant = new URLSearchParams(request.query).get('variant') ?? 'video';
  if (variant !== 'video')
    throw new GatewayError('unsupported_parameter', {
      detail: 'The parameter variant names something else than the video; accepted is video.',
    });
  return getVideoContent(service, access, request, id);
};

const creating: DialectMethod = { route: 'createVideo', purpose: 'opening', run: createVideoOfEither };
const extending: DialectMethod = { route: 'createVideo', purpose: 'opening', run: extendVideo };

const refusing = (what: string): DialectMethod => ({
  route: 'getVideo',
  purpose: 'query',
  run: () => {
    throw new GatewayError('unsupported_parameter', {
      detail: `There is no ${what} of a video: no model offers it. Accepted are POST /videos and POST /videos/extensions.`,
    });
  },
});

/** What takes POST, by its path. */
const posted: ReadonlyMap<string, DialectMethod> = new Map([
  ['/videos', creating],
  ['/videos/extensions', extending],
  ['/videos/edits', refusing('edit')],
  ['/videos/characters', refusing('character')],
]);

const videoPath = /^\/videos\/([^/]+)(?:\/(content|remix))?$/;

const oneMethod = (method: string, id: string): DialectMethod | null => {
  if (method === 'GET')
    return { route: 'getVideo', purpose: 'query', run: (service, access) => showVideo(service, access, id) };
  return method === 'DELETE'
    ? { route: 'deleteVideo', purpose: 'query', run: (service, access) => deleteVideo(service, access, id) }
    : null;
};

/** The methods of videos in the form of this wire; null for what the contract has. */
export const videoMethodOf = ({ method, dialect }: GatewayRequest, path: string): DialectMethod | null => {
  if (method === 'POST' && posted.has(path)) return posted.get(path) ?? null;
  if (path === '/videos') return method === 'GET' && dialect === 'openai' ? listing : null;
  const [, id, part] = videoPath.exec(path) ?? [];
  if (id === undefined) return null;
  if (part === undefined) return oneMethod(method, id);
  if (part === 'remix') return method === 'POST' ? refusing('remix') : null;
  return method === 'GET' || method === 'HEAD'
    ? {
        route: 'getVideoContent',
        purpose: 'query',
        run: (service, access, request) => sendContent(service, access, request, id),
      }
    : null;
};
