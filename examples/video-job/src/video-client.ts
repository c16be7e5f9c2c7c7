import assert from 'node:assert/strict';

/** A video as the gateway returns it, as far as this example reads it. */
export interface Video {
  readonly id: string;
  readonly status: string;
  readonly error_code: string | null;
  readonly expires_at: string | null;
  readonly result: {
    readonly videos: readonly { readonly url: string; readonly mime_type: string; readonly index: number }[];
    readonly service: { readonly request_id: string; readonly credits: number };
  } | null;
}

/** Where a gateway is, and the key for it. */
export interface Target {
  readonly baseUrl: string;
  readonly key: string;
}

type Ask = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

const send = (target: Target, url: string, { headers = {}, ...init }: Ask = {}): Promise<Response> =>
  fetch(new URL(url, target.baseUrl), { ...init, headers: { authorization: `Bearer ${target.key}`, ...headers } });

const videoIn = async (response: Response): Promise<Video> => {
  const text = await response.text();
  assert.equal(response.status, 200, text);
  // The contract says what a video holds.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as Video;
};

/** Creates a video. The same identity and body never make a second one, however often they are sent. */
export const createVideo = async (target: Target, identity: string, body: object): Promise<Video> =>
  videoIn(
    await send(target, `${target.baseUrl}/videos`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': identity },
      body: JSON.stringify(body),
    }),
  );

const getVideo = async (target: Target, id: string): Promise<Video> =>
  videoIn(await send(target, `${target.baseUrl}/videos/${id}`));

export const deleteVideo = async (target: Target, id: string): Promise<Video> =>
  videoIn(await send(target, `${target.baseUrl}/videos/${id}`, { method: 'DELETE' }));

/** States in which nothing changes any more. */
const ended = new Set(['completed', 'failed', 'uncertain', 'expired', 'deleted']);

/** Asks again and again until the video has ended, or too long has passed. */
export const waitForVideo = async (target: Target, id: string, waitMsMax = 60_000): Promise<Video> => {
  const until = Date.now() + waitMsMax;
  for (;;) {
    const video = await getVideo(target, id);
    if (ended.has(video.status)) return video;
    assert.ok(Date.now() < until, `the video is still ${video.status}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
};

/** Downloads what a record names; `url` is a path that begins with the prefix of the gateway. */
export const download = (target: Target, url: string, range?: string): Promise<Response> =>
  send(target, url, range === undefined ? {} : { headers: { range } });

export const head = (target: Target, url: string): Promise<Response> => send(target, url, { method: 'HEAD' });
