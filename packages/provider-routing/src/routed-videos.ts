import type { BlobPart, GeneratedVideos, MediaPart, Provider, VideoCall } from '@tollgate/provider';
import { scopeFile } from './file-references.ts';
import { referenceFor } from './find-holder.ts';
import { writeLeafTag } from './leaf-tag.ts';
import type { JobRouting } from './routed-jobs.ts';

type Media = MediaPart | BlobPart;

const scopeMedia = <M extends Media | undefined>(media: M, leaf: Provider): M =>
  media?.kind === 'blob' && media.file !== undefined ? { ...media, file: scopeFile(media.file, leaf) } : media;

const scopeVideo = (call: VideoCall, leaf: Provider): VideoCall => ({
  ...call,
  ...(call.image === undefined ? {} : { image: scopeMedia(call.image, leaf) }),
  ...(call.lastFrame === undefined ? {} : { lastFrame: scopeMedia(call.lastFrame, leaf) }),
  ...(call.references === undefined
    ? {}
    : { references: call.references.map(({ media, type }) => ({ media: scopeMedia(media, leaf), type })) }),
  ...(call.extends === undefined
    ? {}
    : { extends: { ...call.extends, reference: referenceFor(call.extends.reference, leaf) } }),
});

export const videoRouting: JobRouting<VideoCall, GeneratedVideos> = {
  method: 'videos',
  jobsOf: ({ videos }) => videos,
  scope: scopeVideo,
  sign: ({ videos, usage }, { name }) => ({
    videos: videos.map((video) => ({
      ...video,
      reference: video.reference === null ? null : writeLeafTag(name, video.reference),
    })),
    usage,
  }),
};
