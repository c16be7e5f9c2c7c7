import type { FoundResource } from '@tollgate/engine';
import { expect, test } from 'vitest';
import type { Service } from '../service.ts';
import { flatBody } from './encode-resource.ts';

const result = '{"steps":[{"type":"model_output","content":[]}],"model":"m"}';

async function* piecewise(text: string): AsyncGenerator<Uint8Array> {
  for (const byte of Buffer.from(text)) yield Buffer.from([byte]);
}

// Only what is checked: where large results lie, and the word for the receipt.
const service = {
  brand: 'service',
  engine: {
    storage: {
      blobs: {
        getStream: (_: string, { toByte }: { readonly toByte: number }) =>
          Promise.resolve({ sizeBytes: toByte, chunks: piecewise(result.slice(0, toByte)) }),
      },
    },
  },
} as unknown as Service;

const foundWith = (more: object): FoundResource =>
  ({
    operation: { id: 'o', projectId: 'p', chargedMicros: 1_000_000n },
    resource: {},
    result: null,
    ...more,
  }) as unknown as FoundResource;

/** A body that is held in memory, parsed. */
const held = (body: ReturnType<typeof flatBody>): unknown => {
  if (typeof body !== 'string') throw new Error('it lies elsewhere');
  return JSON.parse(body);
};

const receipt = { request_id: 'o', project_id: 'p', credits: 1 };

test('puts the members of a result beside those of its record, and the receipt last', () => {
  const { steps, model } = JSON.parse(result) as { readonly steps: unknown; readonly model: string };
  const body = flatBody(service, foundWith({ result }), { id: 'a' });
  expect(held(body)).toEqual({ id: 'a', steps, model, service: receipt });
  expect(held(flatBody(service, foundWith({}), { id: 'a', steps: [] }))).toEqual({
    id: 'a',
    steps: [],
    service: receipt,
  });
  expect(held(flatBody(service, foundWith({ result: '{}' }), { id: 'a' }))).toEqual({
    id: 'a',
    service: receipt,
  });
});

test('does so with a result that is read from where it lies, and says how long it is', async () => {
  const large = { blobKey: 'answers/o', bytes: Buffer.byteLength(result) };
  const body = flatBody(service, foundWith({ large }), { id: 'é' });
  if (typeof body === 'string') throw new Error('it was held in memory');
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.chunks) chunks.push(Uint8Array.from(chunk));
  const text = Buffer.concat(chunks);
  expect(text.byteLength).toBe(body.sizeBytes);
  expect(text.toString()).toBe(flatBody(service, foundWith({ result }), { id: 'é' }));
});
