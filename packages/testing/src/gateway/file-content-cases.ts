import assert from 'node:assert/strict';
import { assertRefused, okJson } from './answer.ts';
import { deleteFile, uploadedId } from './file-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { mediaSamples as samples } from './media-samples.ts';

const pdf = Buffer.from(samples.pdf, 'base64');
const lifeMs = 48 * 3_600_000;

/** The content of files, as clients of OpenAI ask for it. */
export const fileContentCases: readonly GatewayCase[] = [
  gatewayCase(
    'returns the content of a file to those clients, and says why there is none any more',
    async (world) => {
      const [kept, removed] = [await uploadedId(world), await uploadedId(world)];
      const content = (id: string, method = 'GET') => world.open({ method, path: `/files/${id}/content` });
      const head = await content(kept, 'HEAD');
      assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(pdf.length)]);
      const whole = await content(kept);
      assert.deepEqual([whole.status, Buffer.from(await whole.arrayBuffer())], [200, pdf]);
      okJson(await deleteFile(world, removed));
      world.time.advance(lifeMs + 1);
      await world.runJobs();
      for (const [id, words] of [
        [kept, 'The file has expired.'],
        [removed, 'The file has been deleted.'],
      ] as const) {
        const error = assertRefused(await world.send({ path: `/files/${id}/content` }), 404, 'not_found');
        assert.equal(error.at('message').value, words);
      }
      const sent = await world.open({ method: 'PUT', path: `/files/${kept}/content`, body: {} });
      assert.ok(sent.status === 404 || sent.status === 405, String(sent.status));
      await sent.text();
    },
    { compatibility: { openai: true } },
  ),
];
