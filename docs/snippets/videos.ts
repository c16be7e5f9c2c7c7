/** The address of a gateway, and a key for it. */
interface Target {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

interface Video {
  readonly id: string;
  readonly status: string;
  readonly error_code: string | null;
  readonly result: { readonly videos: readonly { readonly url: string }[] } | null;
}

const send = (target: Target, url: string, init: RequestInit = {}): Promise<Response> => {
  const request = new Request(new URL(url, target.baseUrl), init);
  request.headers.set('authorization', `Bearer ${target.key}`);
  return target.fetch(request);
};

const videoIn = async (response: Response): Promise<Video> => {
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  // The gateway's response has the documented form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as Video;
};

// #region make
/** Requests a video and waits for it. A repeat under the same key finds the same video. */
export const makeVideo = async (target: Target, identity: string, prompt: string): Promise<Video> => {
  const { baseUrl } = target;
  let video = await videoIn(
    await send(target, `${baseUrl}/videos`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': identity },
      body: JSON.stringify({ prompt, duration_seconds: 8, resolution: '720p', aspect_ratio: '16:9' }),
    }),
  );
  while (['preparing', 'reserved', 'processing', 'settling'].includes(video.status)) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    video = await videoIn(await send(target, `${baseUrl}/videos/${video.id}`));
  }
  if (video.status !== 'completed') throw new Error(`the video is ${video.status} (${video.error_code})`);
  return video;
};
// #endregion make

// #region download
/** Downloads the missing bytes of the video: all of them, or the rest after a lost connection. */
export const downloadRest = async (target: Target, video: Video, fromByte: number): Promise<Uint8Array> => {
  const [first] = video.result?.videos ?? [];
  if (first === undefined) throw new Error('there is no video');
  const response = await send(target, first.url, { headers: { range: `bytes=${fromByte}-` } });
  if (response.status !== 206) throw new Error(`${response.status}: ${await response.text()}`);
  return response.bytes();
};
// #endregion download
