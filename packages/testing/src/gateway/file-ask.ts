import assert from 'node:assert/strict';
import { jsonOf, type Answer, type Json } from './answer.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';
import { mediaSamples as samples } from './media-samples.ts';

type More = Omit<Ask, 'path' | 'body'>;

export const pdfUpload = { display_name: 'report.pdf', mime_type: 'application/pdf', data: samples.pdf } as const;

export const upload = (world: GatewayWorld, body: unknown = pdfUpload, more: More = {}): Promise<Answer> =>
  world.send({ path: '/files', body, ...more });

/** The body of an answer of 201. */
export const createdJson = (answer: Answer): Json => {
  assert.equal(answer.status, 201, answer.text);
  return jsonOf(JSON.parse(answer.text));
};

/** Uploads a small PDF and returns its id. */
export const uploadedId = async (world: GatewayWorld, more: More = {}): Promise<string> =>
  createdJson(await upload(world, pdfUpload, more))
    .at('id')
    .text();

export const getFile = (world: GatewayWorld, id: string, more: More = {}): Promise<Answer> =>
  world.send({ path: `/files/${id}`, ...more });

export const deleteFile = (world: GatewayWorld, id: string, more: More = {}): Promise<Answer> =>
  world.send({ method: 'DELETE', path: `/files/${id}`, ...more });

/** A chat whose one message names a file. */
export const chatAbout = (world: GatewayWorld, file_id: string, more: More = {}): Promise<Answer> =>
  world.chat(
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Sum it up' },
            { type: 'file', file: { file_id } },
          ],
        },
      ],
    },
    more,
  );

/** A world whose provider wants copies of files. */
export const copying = { fileSteps: [] } as const;

export const fileKeptMs = 48 * 3_600_000;
