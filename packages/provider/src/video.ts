import type { BlobPart, MediaPart } from './content.ts';
import type { Usage } from './usage.ts';

/** Bytes that were generated; read once, soon, for upstreams forget them. */
export interface GeneratedMedia {
  readonly mimeType: string;
  readonly read: () => AsyncIterable<Uint8Array>;
  /** By which the upstream knows it again, for an extension; null where it does not. */
  readonly reference: string | null;
}

export interface VideoCall {
  readonly operationId: string;
  readonly upstreamModel: string;
  readonly prompt: string | null;
  readonly image?: MediaPart | BlobPart;
  readonly lastFrame?: MediaPart | BlobPart;
  readonly references?: readonly { readonly media: MediaPart | BlobPart; readonly type: 'asset' | 'style' }[];
  /** The video that is continued, and what the provider noted of it. */
  readonly extends?: { readonly video: BlobPart; readonly reference: string | null };
  readonly durationSeconds?: number;
  readonly resolution?: string;
  readonly aspectRatio?: string;
  readonly negativePrompt?: string;
  readonly seed?: number;
}

export interface GeneratedVideos {
  readonly videos: readonly GeneratedMedia[];
  /** An empty list means that nothing was measured, and makes the operation uncertain. */
  readonly usage: readonly Usage[];
}
