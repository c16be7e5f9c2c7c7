import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { samplePdf } from '@tollgate/testing/fakes';
import { afterEach, expect, test } from 'vitest';
import { startSmallInternet, type SmallInternet } from '../test/small-internet.ts';
import { toolContext } from '../test/tool-context.ts';
import { urlContext, type UrlContextOptions } from './url-context.ts';

const running: SmallInternet[] = [];
afterEach(() => {
  for (const internet of running.splice(0)) internet.close();
});

const setting = { kind: 'url_context' } as const;

interface Web {
  readonly listener: RequestListener;
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
  readonly options?: UrlContextOptions;
}

const fetching = async ({ listener, addresses = {}, options = {} }: Web) => {
  const internet = await startSmallInternet(listener, addresses);
  running.push(internet);
  const runner = urlContext({ ...internet.egress, ...options });
  const run = (urls: unknown, signal = new AbortController().signal) =>
    runner.run?.(setting, { id: 'call', name: 'fetch_urls', arguments: { urls } }, toolContext({ signal }));
  return { internet, run, runner };
};

const serving =
  (type: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': type, ...headers }).end(body);

const fetches = (quantity: number) => [{ unit: 'url_fetches', quantity, confirmed: true }];
const page = 'http://pages.example.org/a';

test('declares one function that takes so many addresses as a call may fetch', async () => {
  const runner = urlContext({ urlsMax: 3 });
  expect(await runner.declare(setting, toolContext())).toMatchObject([
    { name: 'fetch_urls', parameters: { properties: { urls: { maxItems: 3 } } } },
  ]);
  expect(runner.callUsageMax).toEqual([{ unit: 'url_fetches', quantity: 3 }]);
});

test('reads the article of a page, without what surrounds it', async () => {
  const html = `<!doctype html><html><head><title>Ships &amp; harbours</title><style>p { color: red }</style>
    <script>alert('script text')</script></head><body><nav>Menu</nav><main><h1>The harbour</h1>
    <p>It opens at <b>six</b>, see <a href="/times">the times</a>.</p><ul><li>one</li><li>two</li></ul>
    <table><tr><th>Day</th><th>Opens</th></tr><tr><td>Monday</td><td>six</td></tr></table></main>
    <footer>Imprint</footer></body></html>`;
  const { run } = await fetching({ listener: serving('text/html; charset=utf-8', html) });
  const outcome = await run([page]);
  expect(outcome).toMatchObject({
    result: [{ url: page, status: 'success' }],
    annotations: [{ type: 'url_citation', url: page, title: 'Ships & harbours' }],
    usage: fetches(1),
  });
  const { told = '' } = outcome ?? {};
  expect(told).toContain(`${page}\nTitle: Ships & harbours\n\n`);
  expect(told).toContain('The harbour\n\nIt opens at six, see the times.\n\n * one\n * two');
  expect(told).toMatch(/Monday\s+six/u);
  for (const left of ['Menu', 'Imprint', 'script text', 'color']) expect(told).not.toContain(left);
});

test.each([
  ['text/plain', 'plain text', 'plain text'],
  ['application/json', '{"a": 1}', '{"a": 1}'],
  ['application/ld+json; charset=utf-8', '{"b": 2}', '{"b": 2}'],
  ['text/csv', 'a;b', 'a;b'],
  ['text/plain; charset=iso-8859-1', Buffer.from([0x47, 0xfc, 0x6e]), 'Gün'],
  ['text/plain; charset=nonsense', 'text', 'text'],
  ['text/html', Buffer.from('<meta charset="windows-1252"><p>\x80 5</p>', 'latin1'), '€ 5'],
])('reads %s', async (type, body, text) => {
  const { run } = await fetching({ listener: serving(type, body) });
  expect((await run([page]))?.told).toContain(`\n\n${text}`);
});

test('reads the text of PDF files', async () => {
  const { run } = await fetching({ listener: serving('application/pdf', samplePdf(['First page', 'Second page'])) });
  expect((await run([page]))?.told).toContain('First page\n\nSecond page');
});

test('unpacks what came packed unasked, but no more than a text may be', async () => {
  const packed = gzipSync('packed text');
  const bomb = gzipSync(Buffer.alloc(30_000_000));
  const listener: RequestListener = (request, response) => {
    expect(request.headers['accept-encoding']).toBe('identity');
    const coding = request.url === '/odd' ? 'odd' : 'gzip';
    response
      .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': coding })
      .end(request.url === '/bomb' ? bomb : packed);
  };
  const { run } = await fetching({ listener });
  expect((await run(['http://a.example.org/ok']))?.told).toContain('packed text');
  expect((await run(['http://a.example.org/bomb']))?.result).toMatchObject([{ status: 'error' }]);
  expect((await run(['http://a.example.org/odd']))?.result).toMatchObject([{ status: 'error' }]);
});

test('cuts what is too long, and says so', async () => {
  const { run } = await fetching({
    listener: serving('text/plain', 'x'.repeat(50_000)),
    options: { charactersMax: 100 },
  });
  const one = await run([page]);
  expect(one?.told).toContain(`${'x'.repeat(100)}\n[The rest is left out.]`);
  const two = await run([page, `${page}b`]);
  expect(two?.told).toContain(`\n${'x'.repeat(50)}\n[The rest is left out.]`);
});

test('stops reading a body without end', async () => {
  let left = false;
  const listener: RequestListener = (_, response) => {
    const flood = (): void => {
      while (response.write('y'.repeat(65_536)));
    };
    response
      .writeHead(200, { 'content-type': 'text/plain' })
      .on('drain', flood)
      .on('close', () => {
        left = true;
      });
    flood();
  };
  const { run } = await fetching({ listener, options: { textBytesMax: 100_000, charactersMax: 1_000 } });
  expect((await run([page]))?.told).toContain('[The rest is left out.]');
  await expect.poll(() => left).toBe(true);
});

test.each([
  ['image/png', 200, 'nothing that can be read'],
  ['', 200, 'nothing that can be read'],
  ['application/octet-stream', 200, 'nothing that can be read'],
  ['text/html', 404, 'answered 404'],
  ['text/html', 500, 'answered 500'],
  ['application/pdf', 200, 'cannot be read'],
])('says that nothing readable came: %j with status %d', async (type, status, words) => {
  const listener: RequestListener = (_, response) =>
    void response.writeHead(status, type === '' ? {} : { 'content-type': type }).end('body');
  const { run } = await fetching({ listener });
  expect(await run([page])).toMatchObject({
    result: [{ url: page, status: 'error' }],
    told: expect.stringContaining(words),
    isError: true,
    annotations: [],
    usage: fetches(1),
  });
});

test('sends nothing to addresses inside, and counts nothing for it', async () => {
  const { run, internet } = await fetching({
    listener: serving('text/plain', 'inside'),
    addresses: { 'inside.example.org': ['10.0.0.1'], 'mixed.example.org': ['93.184.215.14', '127.0.0.1'] },
  });
  const urls = ['http://127.0.0.1/', 'http://localhost/', 'file:///etc/passwd', 'http://inside.example.org/'];
  const outcome = await run([...urls, 'http://mixed.example.org/']);
  expect(outcome).toMatchObject({ isError: true, usage: fetches(0) });
  expect(outcome?.result).toEqual([...urls, 'http://mixed.example.org/'].map((url) => ({ url, status: 'unsafe' })));
  expect(internet.connected).toEqual([]);
});

const redirecting: RequestListener = (request, response) => {
  if (request.url === '/out') response.writeHead(302, { location: 'http://other.example.org/end' }).end();
  else if (request.url === '/in') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
  else if (request.url === '/round') response.writeHead(302, { location: '/round' }).end();
  else response.writeHead(200, { 'content-type': 'text/plain' }).end('the end');
};

test('follows redirects outside, and no redirect inside', async () => {
  const { run } = await fetching({ listener: redirecting });
  const outcome = await run(['http://a.example.org/out', 'http://a.example.org/in', 'http://a.example.org/round']);
  expect(outcome?.result).toMatchObject([{ status: 'success' }, { status: 'unsafe' }, { status: 'error' }]);
  expect(outcome?.told).toContain('http://a.example.org/out (now http://other.example.org/end)');
  expect(outcome?.annotations).toMatchObject([{ url: 'http://other.example.org/end' }]);
  // The address that sent us inside was asked.
  expect(outcome?.usage).toEqual(fetches(3));
});

const slowInPart: RequestListener = (request, response) => {
  if (request.url === '/slow') return;
  response.writeHead(200, { 'content-type': 'text/plain' }).end(`text of ${request.url}`);
};

test('answers for each address what came of it, and for all of them where some failed', async () => {
  const { run } = await fetching({ listener: slowInPart, options: { deadlineMs: 300 } });
  const outcome = await run(['http://a.example.org/1', 'http://a.example.org/slow', 'http://a.example.org/1']);
  expect(outcome?.result).toEqual([
    { url: 'http://a.example.org/1', status: 'success' },
    { url: 'http://a.example.org/slow', status: 'error' },
  ]);
  expect(outcome).not.toHaveProperty('isError');
  expect(outcome?.usage).toEqual(fetches(2));
});

test.each([[[]], ['http://a.example.org/'], [[1]], [undefined], [Array.from({ length: 6 }, (_, n) => `${page}${n}`)]])(
  'fetches nothing for %j',
  async (urls) => {
    const { run, internet } = await fetching({ listener: serving('text/plain', 'x') });
    expect(await run(urls)).toMatchObject({ isError: true, usage: [] });
    expect(internet.connected).toEqual([]);
  },
);

test('stops when the interaction is let go of', async () => {
  const { run } = await fetching({ listener: () => undefined });
  await expect(run([page], AbortSignal.abort(new Error('let go of')))).rejects.toThrow('let go of');
});

const mayAsk = ({ hostname }: URL) =>
  Promise.resolve(
    hostname === 'pages.example.org'
      ? ({ kind: 'allowed', headers: { 'x-key': 'secret' } } as const)
      : ({ kind: 'refused' } as const),
  );

test('asks only where the environment lets it, with the headers that it adds', async () => {
  const seen: unknown[] = [];
  const { internet, runner } = await fetching({
    listener: (request, response) => {
      seen.push([request.headers.host, request.headers['x-key']]);
      response.writeHead(200, { 'content-type': 'text/plain' }).end('inside');
    },
  });
  const urls = [page, 'http://elsewhere.example.net/'];
  const outcome = await runner.run?.(
    setting,
    { id: 'call', name: 'fetch_urls', arguments: { urls } },
    toolContext({ mayAsk }),
  );
  expect(outcome).toMatchObject({
    result: [
      { url: page, status: 'success' },
      { url: urls[1], status: 'unsafe' },
    ],
    usage: fetches(1),
  });
  expect(outcome?.told).toContain('does not allow');
  expect(seen).toEqual([['pages.example.org', 'secret']]);
  expect(internet.connected).toEqual(['pages.example.org']);
});
