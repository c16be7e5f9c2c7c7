import { expect, test } from 'vitest';
import { errorTable } from '../../packages/contract/src/index.ts';
import { createMemoryDisk, memoryStorage } from '../../packages/storage-memory/src/index.ts';
import { mediaSamples } from '../clients/media-samples.ts';
import { startGateway } from '../clients/running-gateway.ts';
import { evilTexts } from './evil-text.ts';
import { chooseFrom, createRandom } from './mutations.ts';
import { openSocket } from './raw-socket.ts';
import { openRouteWorld, type HostileAnswer, type HostileAsk, type RouteWorld, type Way } from './route-world.ts';

const requestsCount = 500 * Number(process.env['TEST_SCALE'] ?? '1');
const atOnce = 8;
const seed = 20_261_123;

type Random = () => number;

const pdf = Buffer.from(mediaSamples.pdf, 'base64');
const below = (random: Random, count: number): number => Math.floor(random() * count);

/** A text as the platform lets it stand in a header: half of them do not. */
const inHeader = (text: string): string => text.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '?').slice(0, 2_000);

const disposition = (random: Random): string =>
  chooseFrom(random, [
    'form-data; name="file"; filename="a.pdf"',
    'form-data; name="file"; filename="a.pdf"',
    'form-data; name="purpose"',
    'form-data; name="other"',
    'form-data; name=""',
    'form-data',
    'attachment; name="file"',
    `form-data; name="file"; filename="${chooseFrom(random, evilTexts)}"`,
    `form-data; name="${chooseFrom(random, evilTexts)}"`,
    `form-data; ${'x="\\"'.repeat(200)}`,
  ]);

const partTypes = [
  'application/pdf',
  'application/octet-stream',
  'text/plain',
  'image/png',
  '',
  'x'.repeat(600),
  'a/b; c',
];

const cutOrChanged = (bytes: Buffer, random: Random): Buffer => {
  const at = below(random, bytes.length);
  switch (below(random, 6)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([below(random, 256)]), bytes.subarray(at)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(random, 20))]);
    default:
      return bytes;
  }
};

const multipart = (random: Random, first: readonly Buffer[]): Buffer => {
  const parts = Array.from({ length: chooseFrom(random, [1, 1, 1, 2, 3, 20]) }, () =>
    Buffer.concat([
      Buffer.from(`--x\r\nContent-Disposition: ${disposition(random)}\r\n`),
      Buffer.from(random() < 0.8 ? `Content-Type: ${chooseFrom(random, partTypes)}\r\n\r\n` : '\r\n'),
      random() < 0.7 ? pdf : Buffer.from(chooseFrom(random, evilTexts)),
      Buffer.from('\r\n'),
    ]),
  );
  return cutOrChanged(Buffer.concat([...first, ...parts, Buffer.from('--x--\r\n')]), random);
};

const boundaries = ['x', 'x', 'x', '"x"', '', 'y', 'x'.repeat(71), 'x; boundary=y'];

const form = (random: Random, key: string): HostileAsk => ({
  method: 'POST',
  target: '/files',
  key,
  headers: { 'content-type': `multipart/form-data; boundary=${chooseFrom(random, boundaries)}` },
  body: Uint8Array.from(multipart(random, [])),
});

const metadata = (random: Random): string => {
  const text = chooseFrom(random, evilTexts);
  return chooseFrom(random, [
    '{"file":{"displayName":"a.pdf","mimeType":"application/pdf"}}',
    '{"file":{"displayName":"a.pdf","mimeType":"application/pdf"}}',
    '{"file":null}',
    '{"file":[]}',
    '[]',
    'null',
    '{',
    '',
    JSON.stringify({ file: { displayName: text, mimeType: 'application/pdf' } }),
    JSON.stringify({ file: { display_name: 'a', mime_type: text } }),
    `{"__proto__":{"file":{}},"file":${'['.repeat(5_000)}`,
  ]);
};

const related = (random: Random, key: string): HostileAsk => ({
  method: 'POST',
  target: chooseFrom(random, ['/upload/v1beta/files', '/upload/v1/files', '/upload/files']),
  key,
  headers: { 'content-type': `multipart/related; boundary=${chooseFrom(random, boundaries)}` },
  body: Uint8Array.from(
    multipart(random, [Buffer.from(`--x\r\nContent-Type: application/json\r\n\r\n${metadata(random)}\r\n`)]),
  ),
});

const begin = (random: Random, key: string): HostileAsk => ({
  method: 'POST',
  target: '/upload/v1beta/files',
  key,
  headers: {
    'x-goog-upload-protocol': 'resumable',
    'x-goog-upload-command': chooseFrom(random, ['start', 'start', 'start, upload', 'START', '']),
    'x-goog-upload-header-content-length': chooseFrom(random, ['15', '-1', '1e9', 'x', '99999999999', '']),
    'x-goog-upload-header-content-type': chooseFrom(random, ['application/pdf', '', 'text/plain', 'x'.repeat(600)]),
    'x-goog-upload-file-name': inHeader(chooseFrom(random, evilTexts)),
    host: chooseFrom(random, ['gateway.test', 'a.b:1']),
  },
  body: metadata(random),
});

const sessions = ['01a1f8d3-a07f-7c13-ab30-d07c51ef248f', '11111111-1111-4111-8111-111111111111'];
const sessionIds = [...sessions, ...sessions, '../../files/x', '%00', '', '__proto__', 'A'.repeat(3_000)];
const commands = [
  'upload',
  'upload',
  'upload, finalize',
  'finalize',
  'query',
  'cancel',
  'upload, cancel',
  'nothing',
  '',
];
const offsets = ['0', '0', String(pdf.length), '5', '-1', '1e3', '99999999999', 'x', '', '0x0', '9'.repeat(400)];

const goOn = (random: Random, key: string): HostileAsk => {
  const name = chooseFrom(random, ['a.pdf', '%00', '%ed%a0%80', 'b'.repeat(900), '..%2f..']);
  const type = chooseFrom(random, ['application/pdf', 'application/pdf', 'text/plain', '%00', '']);
  return {
    method: 'POST',
    target: `/upload/v1beta/files?upload_id=${chooseFrom(random, sessionIds)}&name=${name}&type=${type}`,
    key,
    headers: {
      'content-type': 'application/octet-stream',
      'x-goog-upload-command': chooseFrom(random, commands),
      'x-goog-upload-offset': chooseFrom(random, offsets),
    },
    body: Uint8Array.from(cutOrChanged(pdf, random)),
  };
};

const kinds = [form, related, begin, goOn, goOn] as const;
const codes: Readonly<Record<string, { readonly status: number } | undefined>> = errorTable;

/** The code of an error in the form of either dialect. */
const codeOf = (text: string): string | undefined => {
  const { error } = JSON.parse(text) as {
    readonly error?: { readonly code?: string | number; readonly details?: readonly { readonly reason?: string }[] };
  };
  return typeof error?.code === 'string' ? error.code : error?.details?.[0]?.reason;
};

const faultOf = ({ status, text, headers }: HostileAnswer): string | null => {
  if (headers.get('cache-control') !== 'no-store' || headers.get('x-request-id') === null) return 'headers';
  if (status === 200 || status === 201) return null;
  if (![400, 404, 413, 422].includes(status)) return `status ${status} ${text.slice(0, 200)}`;
  const code = codeOf(text) ?? '';
  if (codes[code]?.status !== status) return `code ${code} with ${status}`;
  return /node_modules|\.ts\b|Error|undefined|\[object|\/tmp|uploads\//.test(text)
    ? `text ${text.slice(0, 300)}`
    : null;
};

const bombard = async (world: RouteWorld, way: Way, random: Random) => {
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  const asks = Array.from({ length: requestsCount }, () => chooseFrom(random, kinds)(random, world.keyOf('text')));
  const work = asks[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const asked of work) {
      const answer = await world.ask(way, asked);
      const fault = faultOf(answer);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (fault !== null)
        faults.push(`${asked.target} ${JSON.stringify(asked.headers)} ${String(asked.body).slice(0, 300)}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { faults, statuses: [...statuses.keys()] };
};

/** A name that every storage can keep. */
const isName = (name: string): boolean => /^[^\0]{1,512}$/su.test(name) && name.isWellFormed();

test.each(['socket', 'function'] as const)(
  'uploads that are nearly right are files or errors of the contract, and leave no bytes of files that are none (by %s)',
  async (way) => {
    const disk = createMemoryDisk();
    const options = { compatibility: { openai: true, google: true } };
    const world = await openRouteWorld(memoryStorage({ disk }), options);
    const { faults, statuses } = await bombard(world, way, createRandom(seed));
    expect(faults).toEqual([]);
    expect(world.running.errors).toEqual([]);
    expect(statuses).toEqual(expect.arrayContaining([200, 201, 400, 422]));
    await world.settle();
    const files = new Set(disk.rows('file').keys());
    // Pieces of uploads that may still be finished are announced, and go when their time is over.
    const left = [...disk.blobs.keys()].filter((key) => {
      const [folder = '', id = ''] = key.split('/');
      if (folder === 'uploads') return !disk.rows('pendingBlob').has(key);
      return (folder === 'media' && disk.rows('pendingBlob').has(key)) || (folder === 'files' && !files.has(id));
    });
    expect(left).toEqual([]);
    const names = [...disk.rows('file').values()].map((row) => String(Reflect.get(row, 'displayName')));
    expect(names.filter((name) => !isName(name))).toEqual([]);
    await world.running.close();
  },
);

const postForm = (path: string, type: string, key: string, body: string): string =>
  [
    `POST /api/v1/ai${path} HTTP/1.1`,
    'Host: gateway.test',
    `Authorization: Bearer ${key}`,
    `Content-Type: ${type}; boundary=x`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

test('a connection continues after an upload that was not read to its end', async () => {
  const options = { storage: memoryStorage(), compatibility: { openai: true, google: true } };
  const running = await startGateway({ options });
  const file = `Content-Type: application/pdf\r\n\r\n${pdf.toString('latin1')}\r\n`;
  const told = '--x\r\n\r\n{"file":{"mimeType":"application/pdf"}}\r\n';
  const named = `--x\r\nContent-Disposition: form-data; name="file"\r\n${file}`;
  // More than waits in a socket and in its reader.
  const rest = 'e'.repeat(500_000);
  const uploads = [
    ['/files', 'multipart/form-data', `${named}--x--\r\n${rest}`, 201],
    ['/files', 'multipart/form-data', `${named}${named}--x--\r\n${rest}`, 422],
    ['/upload/files', 'multipart/related', `${told}--x\r\n${file}--x--\r\n${rest}`, 200],
    ['/upload/files', 'multipart/related', `--xy${rest}`, 422],
  ] as const;
  const socket = await openSocket(running.origin);
  for (const [path, type, body, status] of uploads) {
    socket.write(postForm(path, type, running.key, body));
    expect([path, (await socket.answer())?.status]).toEqual([path, status]);
  }
  socket.write(`GET /api/v1/ai/models HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${running.key}\r\n\r\n`);
  expect((await socket.answer())?.status).toBe(200);
  socket.destroy();
  await running.close();
});

test('metadata before the file of an upload are read no further than those of a body of their own', async () => {
  const options = { storage: memoryStorage(), compatibility: { google: true } };
  const running = await startGateway({ options });
  const uploaded = async (chars: number): Promise<number> => {
    const told = JSON.stringify({ file: { mimeType: 'application/pdf', displayName: 'a'.repeat(chars) } });
    const answer = await fetch(`${running.baseUrl}/upload/v1beta/files?uploadType=multipart`, {
      method: 'POST',
      headers: { 'x-goog-api-key': running.key, 'content-type': 'multipart/related; boundary=x' },
      body: `--x\r\n\r\n${told}\r\n--x\r\nContent-Type: application/pdf\r\n\r\n${pdf.toString('latin1')}\r\n--x--\r\n`,
    });
    await answer.text();
    return answer.status;
  };
  expect(await uploaded(1_900_000)).toBe(200);
  expect(await uploaded(2_000_000)).toBe(413);
  await running.close();
});

test.each(['%00', 'a%00.pdf', '%ed%a0%80', '', 'b'.repeat(2_000)])(
  'the address of an upload in pieces cannot give a file a name that not every storage keeps: %s',
  async (name) => {
    const disk = createMemoryDisk();
    const options = { storage: memoryStorage({ disk }), compatibility: { google: true } };
    const running = await startGateway({ options });
    const query = `upload_id=${sessions[0]}&name=${name}&type=application/pdf`;
    const answer = await fetch(`${running.baseUrl}/upload/v1beta/files?${query}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${running.key}`,
        'x-goog-upload-command': 'upload, finalize',
        'x-goog-upload-offset': '0',
      },
      body: pdf,
    });
    expect(answer.status).toBe(200);
    const names = [...disk.rows('file').values()].map((row) => String(Reflect.get(row, 'displayName')));
    expect(names.map(isName)).toEqual([true]);
    await running.close();
  },
);
