import { expect, test } from 'vitest';
import { formBody, type FormField } from './form-body.ts';
import type { WireBody } from './wire-body.ts';

const bytesOf = async (body: WireBody): Promise<Uint8Array<ArrayBuffer>> => {
  if (body.kind === 'bytes') return Uint8Array.from(body.bytes);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.read()) chunks.push(Uint8Array.from(chunk));
  return Uint8Array.from(Buffer.concat(chunks));
};

const blobOf = (text: string, sizeBytes = Buffer.byteLength(text)): FormField => ({
  name: 'file',
  filename: 'a.wav',
  media: {
    kind: 'blob',
    mimeType: 'audio/wav',
    sizeBytes,
    read: async function* () {
      yield await Promise.resolve(Buffer.from(text));
    },
  },
});

test('a form is read by a standard reader of forms, as long as it says, as often as it is read', async () => {
  const fields: readonly FormField[] = [
    { name: 'model', text: 'ü-1' },
    blobOf('bytes of a sound'),
    { name: 'image[]', filename: 'na"me\r\n.png', media: { kind: 'media', mimeType: 'image/png', data: 'AAEC' } },
  ];
  const { contentType, body } = formBody(fields, 'boundary-1');
  for (let reading = 0; reading < 2; reading += 1) {
    const bytes = await bytesOf(body);
    expect(body.kind === 'pieces' ? body.byteLength : 0).toBe(bytes.length);
    const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
    expect(form.get('model')).toBe('ü-1');
    const [file, image] = [form.get('file'), form.get('image[]')];
    if (!(file instanceof File) || !(image instanceof File)) throw new Error('a file came as text');
    expect([file.name, file.type, await file.text()]).toEqual(['a.wav', 'audio/wav', 'bytes of a sound']);
    expect([image.name, [...new Uint8Array(await image.arrayBuffer())]]).toEqual(['na_me__.png', [0, 1, 2]]);
  }
});

test.each([1, 99])(
  'a blob of another size than the %i bytes that it says ends the body with an error',
  async (size) => {
    const { body } = formBody([blobOf('bytes', size)], 'b');
    await expect(bytesOf(body)).rejects.toThrow(/another size/);
  },
);
