import { afterAll, beforeAll, expect, test } from 'vitest';
import { ErrorObject, ErrorText, routes } from '../../packages/contract/src/index.ts';
import { memoryStorage } from '../../packages/storage-memory/src/index.ts';
import { faultOf } from './answer-fault.ts';
import { chooseFrom, createRandom } from './mutations.ts';
import { openSocket } from './raw-socket.ts';
import { seedsOf } from './route-seeds.ts';
import {
  kindOfPath,
  openRouteWorld,
  targetOf,
  type HostileAnswer,
  type HostileAsk,
  type RouteRow,
  type RouteWorld,
} from './route-world.ts';

const queriesCount = 1_000 * Number(process.env['TEST_SCALE'] ?? '1');
const atOnce = 8;
const seed = 20_261_122;

let world: RouteWorld;
beforeAll(async () => {
  world = await openRouteWorld(memoryStorage());
});
afterAll(async () => {
  expect(world.running.errors).toEqual([]);
  await world.running.close();
});

/** Asks over a socket of its own, so that no client tidies the target up. */
const askRaw = async ({ method, target, key, headers = {}, body = '' }: HostileAsk): Promise<HostileAnswer> => {
  const socket = await openSocket(world.running.origin);
  const lines = Object.entries({
    host: 'gateway.test',
    authorization: `Bearer ${key}`,
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  socket.write(Buffer.from(`${[`${method} /api/v1/ai${target} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`, 'latin1'));
  socket.write(body);
  const answer = await socket.answer();
  socket.destroy();
  if (answer === null) throw new Error(`no answer to ${method} ${target}`);
  return { status: answer.status, headers: new Headers(answer.headers), text: answer.body };
};

const inTurns = async <T>(work: readonly T[], run: (item: T) => Promise<void>): Promise<void> => {
  const items = work[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const item of items) await run(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

/** What may stand where the id of something stands, and is the id of nothing. */
const hostileIds = (id: string, others: readonly string[]): readonly string[] => [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  id.toUpperCase(),
  id.replaceAll('-', ''),
  `{${id}}`,
  `%7B${id}%7D`,
  `urn:uuid:${id}`,
  `${id}%00`,
  `%00${id}`,
  `${id}%20`,
  `%0a${id}`,
  `${id}/`,
  `${id}/.`,
  `${id}%2F`,
  `..%2f${id}`,
  `${id}%2f..`,
  `${id}/../${id}`,
  '..',
  '%2e%2e',
  '.',
  `${id};x=1`,
  `${id},${id}`,
  `${id}:generateContent`,
  `${id}%3AgenerateContent`,
  `%E2%80%8B${id}`,
  `%EF%BC%90${id.slice(1)}`,
  `caf%C3%A9`,
  '%ed%a0%80',
  '%ff',
  '%',
  '%zz',
  '__proto__',
  'constructor',
  'toString',
  'null',
  '-1',
  "1'%20OR%20'1'='1",
  'a'.repeat(4_000),
  ...others,
];

const byId = routes.filter(({ path }) => kindOfPath(path) !== null);

const validBody = (row: RouteRow): Pick<HostileAsk, 'body'> => {
  const [first] = seedsOf(row.id, world.ids);
  return first === undefined ? {} : { body: JSON.stringify(first.body) };
};

const isNotFound = ({ status, text }: HostileAnswer): boolean => {
  const body: unknown = JSON.parse(text);
  const inObject = ErrorObject.safeParse(body);
  const told = inObject.success ? inObject.data.error.code === 'not_found' : ErrorText.safeParse(body).success;
  return status === 404 && told;
};

test('what is the id of nothing is not found, on every route and however it is spelled [errors:path:unknown]', async () => {
  const asks = byId.flatMap((row) => {
    const kind = kindOfPath(row.path) ?? 'file';
    // Operations and resources share their ids: a request is known by the id of any resource.
    const others = kind === 'request' ? [] : Object.entries(world.ids).filter(([other]) => other !== kind);
    const strangers = others.map(([, id]) => id).filter((id) => id !== world.ids[kind]);
    return hostileIds(world.ids[kind], strangers).map((id): HostileAsk => {
      const target = targetOf(row, id);
      return { method: row.method, target, key: world.keyOf('text'), ...validBody(row) };
    });
  });
  const wrong: string[] = [];
  await inTurns(asks, async (asked) => {
    const answer = await askRaw(asked);
    if (!isNotFound(answer)) wrong.push(`${asked.method} ${asked.target}: ${answer.status} ${answer.text}`);
  });
  expect(wrong).toEqual([]);
});

test('an id that is percent-encoded is the id', async () => {
  for (const row of byId.filter(({ method }) => method === 'GET')) {
    const id = world.ids[kindOfPath(row.path) ?? 'file'];
    const encoded = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
    const [plain, same] = [targetOf(row, id), targetOf(row, encoded)];
    const answers = await Promise.all(
      [plain, same].map((target) => askRaw({ method: 'GET', target, key: world.keyOf('text') })),
    );
    expect(answers[1]?.status).toBe(answers[0]?.status);
    expect(answers[1]?.text).toBe(answers[0]?.text);
  }
});

const numbers = ['0', '1', '', '-1', '1.5', '1e3', '99999999999999999999', 'x', '%00', '0x0', '00', '+0', '%EF%BC%90'];
const flags = ['true', 'false', '', 'TRUE', '1', 'yes', '%00', 'true%20', '[]'];
const paths = [
  '',
  'a',
  'a/',
  'a//',
  'a/b.txt',
  'a%2Fb.txt',
  'a/b.txt/',
  'a/../a/b.txt',
  './a',
  '..',
  '../../etc/passwd',
  '/etc/passwd',
  'C:%5Ca',
  'a%00',
  'a%5Cb.txt',
  '%ed%a0%80',
  '%ff',
  '%',
  'A/B.TXT',
  'a%CC%81',
  'nothing',
  '__proto__',
  'a'.repeat(3_000),
  'a/'.repeat(50),
];
const base64url = (text: string): string => Buffer.from(text).toString('base64url');
const cursors = [
  '',
  'AAAA',
  base64url('a'),
  base64url('../x'),
  base64url('a\0'),
  `${base64url('a')}=`,
  '%00',
  '__proto__',
  'z'.repeat(5_000),
];
const values: Readonly<Record<string, readonly string[]>> = {
  index: numbers,
  path: paths,
  cursor: cursors,
  recursive: flags,
  download: flags,
  alt: ['sse', 'json', 'media', '', '%00'],
  limit: numbers,
  after: cursors,
  key: ['AIza', ''],
  __proto__: ['x'],
};
const names = Object.keys(values);
const ranges = [
  'bytes=0-0',
  'bytes=-1',
  'bytes=1-',
  'bytes=99999999-',
  'bytes=0-0,2-3',
  'bytes=a-b',
  'bytes=-',
  'items=0-1',
  `bytes=${'9'.repeat(40)}-`,
];
const conditions = ['"x"', 'W/"x"', '*', '', 'Fri, 20 Nov 2026 12:00:00 GMT'];

type Random = () => number;

const queryOf = (row: RouteRow, random: Random): string => {
  const own = 'queryParameters' in row ? Object.keys(row.queryParameters.shape) : [];
  const count = Math.floor(random() * 4);
  return Array.from({ length: count }, () => {
    const name = own.length > 0 && random() < 0.8 ? chooseFrom(random, own) : chooseFrom(random, names);
    return `${name}=${chooseFrom(random, values[name] ?? [''])}`;
  }).join(chooseFrom(random, ['&', '&', '&', '&&', ';']));
};

const queryAsk = (row: RouteRow, random: Random): HostileAsk => {
  const target = targetOf(row, world.ids[kindOfPath(row.path) ?? 'file']);
  return {
    method: 'answersHead' in row && random() < 0.2 ? 'HEAD' : 'GET',
    target: `${target}?${queryOf(row, random)}`,
    key: world.keyOf('text'),
    headers: {
      ...(random() < 0.5 ? { range: chooseFrom(random, ranges) } : {}),
      ...(random() < 0.2 ? { 'if-range': chooseFrom(random, conditions) } : {}),
      ...(random() < 0.2 ? { 'if-none-match': chooseFrom(random, conditions) } : {}),
    },
  };
};

test('queries and ranges get answers of the contract, whatever they say [errors:status:vocabulary]', async () => {
  const random = createRandom(seed);
  const asking = routes.filter(({ method, path }) => method === 'GET' && path !== '/models/{model}');
  const asked = routes.filter((row) => 'queryParameters' in row);
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  const asks = Array.from({ length: queriesCount }, () => {
    const row = random() < 0.7 ? chooseFrom(random, asked) : chooseFrom(random, asking);
    return { row, ask: queryAsk(row, random), raw: random() < 0.5 };
  });
  await inTurns(asks, async ({ row, ask, raw }) => {
    const head = ask.method === 'HEAD';
    // The raw socket waits for the bytes that the answer to HEAD only counts.
    const answer = raw && !head ? await askRaw(ask) : await world.ask('function', ask);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const fault = head ? (answer.text === '' ? null : 'a body') : faultOf(row, answer, world.keys);
    if (fault !== null) faults.push(`${ask.method} ${ask.target} ${JSON.stringify(ask.headers)}: ${fault}`);
  });
  expect(faults).toEqual([]);
  // The test is about more than refusals.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 206, 404, 416, 422]));
});
