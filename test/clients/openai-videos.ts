import OpenAI, { toFile } from 'openai';
import type { Video } from 'openai/resources/videos';
import { expect } from 'vitest';
import { refuses, works, type Feature } from './client-table.ts';
import { mediaSamples } from './media-samples.ts';
import type { RunningGateway } from './running-gateway.ts';

const model = 'video-3.1-generate-preview';

/** What a client does with videos. */
export const videoFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const open = async () => new OpenAI({ baseURL: world().baseUrl, apiKey: await world().newKey(model), maxRetries: 0 });

  const ended = async (client: OpenAI, id: string): Promise<Video> => {
    for (;;) {
      const video = await client.videos.retrieve(id);
      if (video.status === 'completed' || video.status === 'failed') return video;
      await world().gateway.jobs.runDue();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };

  return [
    works('videos of a form with an image: create, retrieve, content, list, extend, delete', async () => {
      const client = await open();
      const image = await toFile(Buffer.from(mediaSamples.png, 'base64'), 'first.png', { type: 'image/png' });
      const params = { model, prompt: 'A ferry.', seconds: '4', size: '1280x720', input_reference: image } as const;
      const created = await client.videos.create(params);
      expect(created).toMatchObject({ object: 'video', seconds: '4', size: '1280x720', error: null });
      const video = await ended(client, created.id);
      expect(video).toMatchObject({ status: 'completed', progress: 100 });
      const content = await client.videos.downloadContent(video.id);
      expect(content.headers.get('content-type')).toBe('video/mp4');
      expect((await content.arrayBuffer()).byteLength).toBeGreaterThan(0);
      const extended = await client.videos.extend({ prompt: 'It lands.', seconds: '4', video: { id: video.id } });
      expect((await ended(client, extended.id)).remixed_from_video_id).toBe(video.id);
      const ids: string[] = [];
      for await (const { id } of client.videos.list({ limit: 1 })) ids.push(id);
      expect(ids).toEqual([extended.id, video.id]);
      expect(await client.videos.delete(extended.id)).toEqual({
        id: extended.id,
        object: 'video.deleted',
        deleted: true,
      });
    }),
    works('a video once under its Idempotency-Key, whatever boundary its form has', async () => {
      const client = await open();
      const headers = { 'Idempotency-Key': 'video-once' };
      const create = () => client.videos.create({ prompt: 'A ferry.' }, { headers });
      const [first, second] = [await create(), await create()];
      expect(second.id).toBe(first.id);
      await ended(client, first.id);
    }),
    refuses('remixes of videos', 'remix', async () => {
      const client = await open();
      return client.videos.remix('a', { prompt: 'Again.' });
    }),
    refuses('sizes that no model makes', 'size', async () => {
      const client = await open();
      return client.videos.create({ prompt: 'A ferry.', size: '1024x1792' });
    }),
  ];
};
