import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { GatewayRequest } from './gateway-request.ts';
import { getOpenApi } from './get-open-api.ts';
import type { Service } from './service.ts';

// What the description is made of.
const service = { brand: 'acme', basePath: '/v1', openApiNeedsKey: false, newRequestId: () => 'an-id' } as Service;

const bytesAt = async (origin: string, accepted: string): Promise<{ encoding: string | undefined; bytes: Buffer }> => {
  const header = (name: string) => (name === 'accept-encoding' ? accepted : null);
  // Nothing else of a request is read.
  const { headers, body } = await getOpenApi(service, { origin, header } as GatewayRequest);
  if (typeof body === 'string' || body.kind !== 'bytes') return expect.unreachable();
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.chunks) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  expect([body.sizeBytes, headers['content-length']]).toEqual([bytes.length, String(bytes.length)]);
  return { encoding: headers['content-encoding'], bytes };
};

test('compresses the description for clients that accept it, and for so many addresses only', async () => {
  const plain = await bytesAt('https://a.example', 'identity, gzip;q=0');
  expect(plain.encoding).toBeUndefined();
  for (const accepted of ['gzip', 'br, gzip;q=0.5, deflate']) {
    const { encoding, bytes } = await bytesAt('https://a.example', accepted);
    expect(encoding).toBe('gzip');
    expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true);
  }
  for (let place = 1; place < 8; place += 1)
    expect((await bytesAt(`https://${place}.example`, 'gzip')).encoding).toBe('gzip');
  const one = await bytesAt('https://more.example', 'gzip');
  expect([one.encoding, one.bytes.includes('https://more.example/v1')]).toEqual([undefined, true]);
});
