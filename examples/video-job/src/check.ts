// A video from its creation to its download in parts, and another that continues it: it asserts, and ends by itself.
import assert from 'node:assert/strict';
import { startGateway, type StartedGateway } from './start-gateway.ts';
import { createVideo, deleteVideo, download, head, waitForVideo, type Video } from './video-client.ts';

const identity = 'lighthouse-1';
const order = { prompt: 'A lighthouse in a storm. [[sandbox: polls 2]]', duration_seconds: 4, aspect_ratio: '16:9' };

const urlOf = ({ result }: Video): string => {
  const [video] = result?.videos ?? [];
  assert.ok(video);
  assert.equal(video.mime_type, 'video/mp4');
  return video.url;
};

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

const makeOnce = async (gateway: StartedGateway): Promise<Video> => {
  const created = await createVideo(gateway, identity, order);
  // The answer was lost on its way, say: the same request finds the same video.
  const again = await createVideo(gateway, identity, order);
  assert.equal(again.id, created.id);
  const video = await waitForVideo(gateway, created.id);
  assert.equal(video.status, 'completed', video.error_code ?? '');
  // Four seconds at the price of the rehearsal tariff.
  assert.equal(video.result?.service.credits, 0.4);
  assert.ok(video.expires_at !== null);
  console.log('ok  created once, completed and charged');
  return video;
};

/** The first half, and later the rest, as after a connection that was lost. */
const downloadInParts = async (gateway: StartedGateway, video: Video): Promise<Buffer> => {
  const url = urlOf(video);
  const size = Number((await head(gateway, url)).headers.get('content-length'));
  const middle = Math.floor(size / 2);
  const first = await download(gateway, url, `bytes=0-${middle - 1}`);
  const rest = await download(gateway, url, `bytes=${middle}-`);
  assert.deepEqual([first.status, rest.status], [206, 206]);
  assert.equal(rest.headers.get('content-range'), `bytes ${middle}-${size - 1}/${size}`);
  const bytes = Buffer.concat([await bytesOf(first), await bytesOf(rest)]);
  assert.ok(bytes.equals(await bytesOf(await download(gateway, url))));
  assert.equal(bytes.toString('latin1', 4, 8), 'ftyp');
  console.log(`ok  downloaded ${bytes.length} bytes in two parts`);
  return bytes;
};

const continueIt = async (gateway: StartedGateway, video: Video): Promise<void> => {
  const body = { prompt: 'The storm passes.', video: video.id, resolution: '720p' };
  const { id } = await createVideo(gateway, 'lighthouse-2', body);
  const longer = await waitForVideo(gateway, id);
  assert.equal(longer.status, 'completed');
  const size = (await bytesOf(await download(gateway, urlOf(longer)))).length;
  assert.ok(size > 0);
  console.log('ok  continued by another one');
};

const failAndDelete = async (gateway: StartedGateway, video: Video): Promise<void> => {
  const { id } = await createVideo(gateway, 'refused', { prompt: 'Something else. [[sandbox: filter]]' });
  const refused = await waitForVideo(gateway, id);
  assert.deepEqual([refused.status, refused.error_code], ['failed', 'request_failed']);
  assert.equal((await deleteVideo(gateway, video.id)).status, 'deleted');
  assert.equal((await download(gateway, urlOf(video))).status, 404);
  console.log('ok  failed without a charge, deleted without a refund');
};

const gateway = await startGateway();
try {
  const video = await makeOnce(gateway);
  await downloadInParts(gateway, video);
  await continueIt(gateway, video);
  await failAndDelete(gateway, video);
  const [account] = await gateway.admin.listAccounts();
  const operations = await gateway.admin.listOperations({ kind: 'account', accountId: account?.id ?? '' });
  assert.deepEqual(
    operations.map(({ state, chargedMicros }) => [state, chargedMicros]),
    [
      ['failed', 0n],
      ['completed', 700_000n],
      ['completed', 400_000n],
    ],
  );
  assert.deepEqual((await gateway.admin.audit()).violations, []);
} finally {
  await gateway.close();
}
