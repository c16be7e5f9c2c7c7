import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';

export interface Address {
  readonly baseUrl: string;
  readonly key: string;
  readonly model: string;
}

/** A file as the gateway returns it, as far as this example reads it; contents name it by its `name`. */
const FileRecord = z.object({
  id: z.uuid(),
  name: z.string(),
  status: z.string(),
  size_bytes: z.number(),
  sha256: z.string(),
});
export type FileRecord = Readonly<z.infer<typeof FileRecord>>;

const FileList = z.object({ data: z.array(FileRecord) });

const Part = z.object({
  text: z.string().optional(),
  inlineData: z.object({ mimeType: z.string(), data: z.string() }).optional(),
});

const ContentResponse = z.object({
  candidates: z.tuple([z.object({ content: z.object({ parts: z.array(Part) }) })]),
  service: z.object({ credits: z.number() }),
});

const ChatCompletion = z.object({ choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })]) });

export interface Answer {
  readonly parts: readonly z.infer<typeof Part>[];
  readonly credits: number;
}

export interface Upload {
  readonly displayName: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** The routes of the contract that this example calls, with plain `fetch`. */
export interface Client {
  readonly upload: (upload: Upload) => Promise<FileRecord>;
  readonly readFile: (id: string) => Promise<FileRecord>;
  readonly deleteFile: (id: string) => Promise<void>;
  readonly listFiles: () => Promise<readonly FileRecord[]>;
  /** One turn of these parts, with settings. */
  readonly generate: (parts: readonly object[], settings?: object) => Promise<Answer>;
  /** One user message of these parts. */
  readonly chat: (parts: readonly object[]) => Promise<string>;
}

/** Sends one request, and reads the answer as what it is to be; anything but success ends the example. */
const createSend =
  ({ baseUrl, key }: Address) =>
  async <T>(answer: z.ZodType<T>, method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
    return answer.parse(JSON.parse(text));
  };

export const createClient = (address: Address): Client => {
  const send = createSend(address);
  return {
    upload: ({ displayName, mimeType, bytes }) => {
      const body = { display_name: displayName, mime_type: mimeType, data: bytes.toString('base64') };
      return send(FileRecord, 'POST', '/files', body);
    },
    readFile: (id) => send(FileRecord, 'GET', `/files/${id}`),
    deleteFile: async (id) => {
      await send(FileRecord, 'DELETE', `/files/${id}`);
    },
    listFiles: async () => (await send(FileList, 'GET', '/files')).data,
    generate: async (parts, settings = {}) => {
      const body = { contents: [{ role: 'user', parts }], generationConfig: settings };
      const answer = await send(ContentResponse, 'POST', `/models/${address.model}:generateContent`, body);
      return { parts: answer.candidates[0].content.parts, credits: answer.service.credits };
    },
    chat: async (content) => {
      const completion = await send(ChatCompletion, 'POST', '/chat/completions', {
        messages: [{ role: 'user', content }],
      });
      return completion.choices[0].message.content;
    },
  };
};
