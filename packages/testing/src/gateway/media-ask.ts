import type { Part, Usage } from '@tollgate/provider';
import type { Answer } from './answer.ts';
import type { GatewayWorld } from './gateway-world.ts';

/** The compatible mode in which the routes of images and audio exist. */
export const mediaSettings = { compatibility: { openai: true } } as const;

export const imageModel = 'flash-3.1-image';
export const speechModel = 'flash-3.1-tts-preview';

/** A key for a model of media, of the case's own project. */
export const keyOf = async (world: GatewayWorld, model: string): Promise<string> =>
  (await world.createCaller({ projectId: world.projectId, model })).key;

/** One field of a form; bytes are a file. */
type Field = readonly [name: string, value: string | Uint8Array];

export const formOf = (fields: readonly Field[]): FormData => {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([Uint8Array.from(value)]), 'file.bin');
  }
  return form;
};

export interface FormAsk {
  readonly path: string;
  readonly form: FormData;
  readonly key: string;
  readonly identity?: string | undefined;
}

/** Sends a form as the platform writes it, each time with another boundary. */
export const sendForm = async (world: GatewayWorld, { path, form, key, identity }: FormAsk): Promise<Answer> => {
  const request = new Request('http://gateway.test', { method: 'POST', body: form });
  const type = { 'content-type': request.headers.get('content-type') ?? '' };
  const headers = identity === undefined ? type : { ...type, 'idempotency-key': identity };
  return world.send({ path, key, headers, body: new Uint8Array(await request.arrayBuffer()) });
};

/** An image that a model made. */
export const drawn = (data: string): Part => ({ kind: 'media', mimeType: 'image/png', data });
/** 10 tokens in and 5 out. */
export const imageUsage: readonly Usage[] = [
  { unit: 'input_text_tokens', quantity: 4, confirmed: true },
  { unit: 'input_image_tokens', quantity: 6, confirmed: true },
  { unit: 'output_image_tokens', quantity: 5, confirmed: true },
];
/** An answer of a model of images. */
export const answerOf = (...parts: readonly Part[]) =>
  ({ kind: 'answer', generation: { text: '', parts, usage: imageUsage } }) as const;
