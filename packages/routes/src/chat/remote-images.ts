import { createHash } from 'node:crypto';
import {
  chatBounds,
  GatewayError,
  imageTypes,
  isMediaOf,
  liftedHeadBytes,
  liftedTailBytesMax,
  type ChatPart,
  type ChatRequest,
} from '@tollgate/contract';
import type { OperationOutcome } from '@tollgate/engine';
import { NotExecuted, type BlobPart, type Content, type GenerationCall, type Part } from '@tollgate/provider';
import { oneChunk } from '@tollgate/storage';
import type { ImageAllowance, ImageBudget } from './image-budget.ts';

/** What became of fetching an image; `why` is ours to show. */
export type FetchedImage =
  | { readonly kind: 'fetched'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly why: string };

export interface FetchBounds {
  /** More than this is not read. */
  readonly bytesMax: number;
  /** What is left of the time of its chat; the fetch ends by then. */
  readonly msMax: number;
  readonly signal: AbortSignal;
}

/** Fetches what an address leads to, from public addresses only and in a bounded time. Does not throw. */
export type ImageFetcher = (url: string, bounds: FetchBounds) => Promise<FetchedImage>;

/** Where images come from in this process. */
export interface ImageSource {
  readonly fetch: ImageFetcher;
  readonly budget: ImageBudget;
  /** Time that never goes back. */
  readonly nowMs: () => number;
}

type Call = Omit<GenerationCall, 'operationId'>;
const { remoteImagesMax, remoteImageBytesMax, remoteImagesMsMax } = chatBounds;
const late = `was not fetched in the ${remoteImagesMsMax} ms that all images of one chat have together`;
/** When a chat that found no room for its images may try again. */
const retryAfterMs = 1_000;
type RemoteImage = Extract<ChatPart, { type: 'remote_image' }>;

type Refused = Extract<OperationOutcome, { kind: 'refused' }>;

/** The images of one chat that are yet to be fetched. */
export interface RemoteImages {
  readonly count: number;
  /** Stands for an image in a call until the call is handed over; its content is not known yet. */
  partOf(image: RemoteImage): Part;
  /** The call with every image in place of what stood for it. Throws `NotExecuted` where one cannot be had. */
  fetchInto(call: Call, signal: AbortSignal): Call | Promise<Call>;
  /** Gives back the memory that the images had reserved; for when the call is over. */
  release(): void;
  /** The error of a chat that was refused because of an image, or null. */
  faultOf(outcome: Refused): GatewayError | null;
}

const placeholder = (): BlobPart => ({
  kind: 'blob',
  mimeType: 'image/png',
  sizeBytes: 0,
  read: () => {
    throw new TypeError('an image was read before it was fetched');
  },
});

/** The bytes as a part, or null where they are no complete PNG, JPEG or WebP. */
const toPart = (bytes: Uint8Array, { detail }: RemoteImage): BlobPart | null => {
  const data = {
    kind: 'lifted',
    key: null,
    sizeBytes: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    head: bytes.subarray(0, liftedHeadBytes),
    tail: bytes.subarray(-liftedTailBytesMax),
    isUtf8: false,
    read: () => oneChunk(bytes),
  } as const;
  const type = [...imageTypes.values()].find((known) => isMediaOf(data, known));
  if (type === undefined) return null;
  const { sizeBytes, read } = data;
  return { kind: 'blob', mimeType: type.mimeType, sizeBytes, read, ...(detail === undefined ? {} : { detail }) };
};

const isRemote = ({ type }: ChatPart): boolean => type === 'remote_image';

const countImages = ({ messages }: ChatRequest): number => {
  const count = messages.reduce(
    (sum, { content }) => (Array.isArray(content) ? sum + content.filter(isRemote).length : sum),
    0,
  );
  if (count > remoteImagesMax)
    throw new GatewayError('input_limit', {
      detail: `The messages name ${count} images by address; accepted are at most ${remoteImagesMax}.`,
    });
  return count;
};

const fetchWithin = async (
  { fetch }: ImageSource,
  allowance: ImageAllowance,
  url: string,
  bounds: FetchBounds,
): Promise<FetchedImage> => {
  if (!allowance.begin(bounds.bytesMax))
    throw new NotExecuted({ reason: 'rate_limited', retryAfterMs, cause: 'too many images are being fetched' });
  let bytes = 0;
  try {
    const answer = await fetch(url, bounds);
    if (answer.kind === 'fetched') bytes = answer.bytes.byteLength;
    return answer;
  } finally {
    allowance.finish(bytes);
  }
};

const filled = ({ role, parts }: Content, images: ReadonlyMap<Part, Part>): Content => ({
  role,
  parts: parts.map((part) => images.get(part) ?? part),
});

const faultOf = (detail: string | null, { requestId }: Pick<Refused, 'requestId'>): GatewayError | null =>
  detail === null ? null : new GatewayError('invalid_image', { detail, requestId: requestId ?? undefined });

/** Of a chat that names no image. */
const noImages: RemoteImages = {
  count: 0,
  partOf: () => {
    throw new TypeError('the chat names no image');
  },
  fetchInto: (call) => call,
  release: () => {},
  faultOf: () => null,
};

/** What has to be fetched of a chat before it is handed over; refuses more images than one chat may name. */
export const createRemoteImages = (source: ImageSource | null, projectId: string, chat: ChatRequest): RemoteImages => {
  const count = countImages(chat);
  return count === 0 ? noImages : openRemoteImages(source, projectId, count);
};

const openRemoteImages = (source: ImageSource | null, projectId: string, count: number): RemoteImages => {
  const waiting = new Map<Part, RemoteImage>();
  let bytesLeft: number = remoteImageBytesMax;
  const allowance = source?.budget.open(projectId);
  let fault: string | null = null;
  const fail = (image: RemoteImage, why: string): never => {
    fault = `The field ${image.place} ${why}; accepted is the address of a PNG, JPEG or WebP image.`;
    throw new NotExecuted({ reason: 'invalid_request', cause: fault });
  };
  const fetched = async (image: RemoteImage, untilMs: number, signal: AbortSignal): Promise<BlobPart> => {
    if (source === null || allowance === undefined) return fail(image, 'cannot be fetched by this gateway');
    const msMax = Math.floor(untilMs - source.nowMs());
    if (msMax <= 0) return fail(image, late);
    const answer = await fetchWithin(source, allowance, image.url, { bytesMax: bytesLeft, msMax, signal });
    if (source.nowMs() >= untilMs) return fail(image, late);
    if (answer.kind === 'failed') return fail(image, answer.why);
    bytesLeft -= answer.bytes.byteLength;
    return toPart(answer.bytes, image) ?? fail(image, 'leads to something that is no complete image');
  };
  const fetchAll = async (call: Call, signal: AbortSignal): Promise<Call> => {
    const images = new Map<Part, Part>();
    const untilMs = (source?.nowMs() ?? 0) + remoteImagesMsMax;
    // One after another, as all of them share one allowance and one time.
    for (const [part, image] of waiting) images.set(part, await fetched(image, untilMs, signal));
    return { ...call, contents: call.contents.map((content) => filled(content, images)) };
  };
  return {
    count,
    partOf: (image) => {
      const part = placeholder();
      waiting.set(part, image);
      return part;
    },
    fetchInto: (call, signal) => (waiting.size === 0 ? call : fetchAll(call, signal)),
    release: () => allowance?.release(),
    faultOf: (outcome) => faultOf(fault, outcome),
  };
};
