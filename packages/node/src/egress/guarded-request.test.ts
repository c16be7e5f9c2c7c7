import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, createServer, type RequestListener, type Server as HttpServer } from 'node:http';
import { createServer as createTlsServer, type Server as HttpsServer } from 'node:https';
import { connect, createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { ConnectChecked } from './connect-checked.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { createEgress, type EgressOptions, type GuardedRequest } from './guarded-request.ts';
import { readAnswer } from './read-answer.ts';

const read = (name: string): string => readFileSync(new URL(`../../test-data/${name}`, import.meta.url), 'utf8');
const certificate = read('receiver-certificate.pem');
const key = read('receiver-key.pem');

const running: (Server | HttpServer | HttpsServer)[] = [];
afterEach(() => {
  for (const server of running.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
});

const listening = async (server: Server): Promise<number> => {
  running.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  return (server.address() as AddressInfo).port;
};

const publicAddress = '93.184.215.14';

/** Stands for the internet: whatever public address is connected to, a server of the test answers. */
const internet = (port: number) => {
  const connected: string[] = [];
  const toTest: ConnectChecked = ({ url, addresses }) => {
    connected.push(`${url.hostname} ${addresses.join(' ')}`);
    return connect(port, '127.0.0.1');
  };
  return { connected, connect: toTest };
};

const toPublic = async (): Promise<readonly string[]> => [publicAddress];

const egressTo = async (listener: RequestListener, options: EgressOptions = {}) => {
  const server = createTlsServer({ cert: certificate, key }, listener);
  const { connected, connect: toTest } = internet(await listening(server));
  return {
    connected,
    egress: createEgress({ resolve: toPublic, connect: toTest, certificates: certificate, ...options }),
  };
};

const asking = (request: Partial<GuardedRequest> = {}): GuardedRequest => ({
  url: 'https://hooks.example.com/path?a=b',
  deadlineMs: 5_000,
  ...request,
});

/** Both ways on which requests leave without an agent of the host. */
const ways: readonly (readonly [string, EgressOptions])[] = [
  ['over a connection of its own', {}],
  ['over one that is kept', { idleMs: 1_000 }],
];

test.each(ways)('sends to a checked address under the name that was asked for, %s', async (_, way) => {
  const seen: unknown[] = [];
  const { connected, egress } = await egressTo((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push([
        request.method,
        request.url,
        request.headers.host,
        request.headers['x-a'],
        Buffer.concat(chunks).toString(),
      ]);
      response.writeHead(201, { 'x-b': 'c' }).end('thanks');
    });
  }, way);
  const headers = { 'X-A': 'b', Host: 'inside.example.com', 'Content-Length': '1' };
  const answer = await egress.open(asking({ method: 'POST', headers, body: 'héllo' }));
  if (answer.kind !== 'answered') throw new Error(answer.kind);
  expect([answer.status, answer.headers['x-b'], answer.url.href]).toEqual([201, 'c', asking().url]);
  const { bytes, isWhole } = await readAnswer(answer, 100);
  expect([Buffer.from(bytes).toString(), isWhole]).toEqual(['thanks', true]);
  expect(seen).toEqual([['POST', '/path?a=b', 'hooks.example.com', 'b', 'héllo']]);
  expect(connected).toEqual([`hooks.example.com ${publicAddress}`]);
});

test('trusts no certificate that is of another name, or self-signed', async () => {
  const { egress } = await egressTo((_, response) => void response.end());
  expect(await egress.open(asking({ url: 'https://other.example.net/' }))).toEqual({
    kind: 'unreachable',
    reason: 'connection',
  });
  const port = await listening(createTlsServer({ cert: certificate, key }, (_, response) => void response.end()));
  const untrusting = createEgress({ resolve: toPublic, connect: internet(port).connect });
  expect(await untrusting.open(asking())).toEqual({ kind: 'unreachable', reason: 'connection' });
});

test('sends no packet to an address that is not public, whatever name leads there', async () => {
  let accepted = 0;
  const tcp = createTcpServer(() => {
    accepted += 1;
  });
  running.push(tcp);
  tcp.listen(0, '0.0.0.0');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  let asked = 0;
  const rebinding = async (): Promise<readonly string[]> => {
    asked += 1;
    return asked % 2 === 0 ? ['127.0.0.1'] : ['127.0.0.2', '93.184.215.14'];
  };
  const egress = createEgress({ resolve: rebinding, schemes: ['http', 'https'] });
  for (const host of [
    'hooks.example.com',
    `hooks.example.com:${port}`,
    `127.0.0.1:${port}`,
    `[::1]:${port}`,
    'localhost',
  ])
    for (const scheme of ['http', 'https'])
      expect((await egress.open(asking({ url: `${scheme}://${host}/` }))).kind).toBe('refused');
  expect(asked).toBe(2);
  expect(accepted).toBe(0);
});

test('connects to nothing but what was checked, though the name moves between the check and the connection', async () => {
  let asked = 0;
  const resolve = async (): Promise<readonly string[]> => {
    asked += 1;
    return asked === 1 ? [publicAddress] : ['127.0.0.1'];
  };
  const { connected, egress } = await egressTo((_, response) => void response.end(), { resolve });
  expect((await egress.open(asking())).kind).toBe('answered');
  expect(connected).toEqual([`hooks.example.com ${publicAddress}`]);
  expect(await egress.open(asking())).toEqual({ kind: 'refused', reason: 'not_public' });
  expect(connected).toHaveLength(1);
});

test('follows redirects only if asked to', async () => {
  const paths: (string | undefined)[] = [];
  const { egress } = await egressTo((request, response) => {
    paths.push(request.url);
    response.writeHead(302, { location: '/next' }).end();
  });
  expect(await egress.open(asking())).toMatchObject({ kind: 'answered', status: 302 });
  expect(await egress.open(asking({ method: 'POST', body: '', redirectsMax: 5 }))).toMatchObject({ status: 302 });
  expect(paths).toEqual(['/path?a=b', '/path?a=b']);
});

test.each(ways)('follows no more redirects than it was asked to, out of any number, %s', async (_, way) => {
  let rounds = 0;
  const { egress } = await egressTo((__, response) => {
    rounds += 1;
    response.writeHead(302, { location: `/${rounds}` }).end();
  }, way);
  expect(await egress.open(asking({ redirectsMax: 3 }))).toMatchObject({ status: 302, url: { pathname: '/3' } });
  expect(rounds).toBe(4);
});

test.each([
  ['http://127.0.0.1/', 'refused', 'scheme'],
  ['https://127.0.0.1/', 'refused', 'ip_address'],
  ['https://localhost/', 'refused', 'host'],
  ['//[::1]/', 'refused', 'ip_address'],
  ['https://inside.example.com/', 'refused', 'not_public'],
  ['https://hooks.example.com:8443/', 'refused', 'port'],
  ['https://gone.example.com/', 'unreachable', 'unresolved'],
])('checks where a redirect leads: %s', async (location, kind, reason) => {
  const names = new Map([
    ['hooks.example.com', [publicAddress]],
    ['inside.example.com', ['10.0.0.1']],
  ]);
  const resolve = async (name: string): Promise<readonly string[]> => names.get(name) ?? [];
  const { egress, connected } = await egressTo((_, response) => void response.writeHead(307, { location }).end(), {
    resolve,
  });
  expect(await egress.open(asking({ redirectsMax: 3 }))).toEqual({ kind, reason });
  expect(connected).toHaveLength(1);
});

test('does not tell another server what the first one received', async () => {
  const seen: (string | undefined)[] = [];
  const { egress } = await egressTo((request, response) => {
    seen.push(request.headers.authorization, request.headers.accept);
    if (request.headers.host === 'pages.example.org') response.end();
    else if (request.url === '/same') response.writeHead(302, { location: 'https://pages.example.org/' }).end();
    else response.writeHead(302, { location: '/same' }).end();
  });
  const headers = { authorization: 'secret', accept: 'text/html' };
  expect(await egress.open(asking({ headers, redirectsMax: 3 }))).toMatchObject({ status: 200 });
  expect(seen).toEqual(['secret', 'text/html', 'secret', 'text/html', undefined, 'text/html']);
});

test.each(ways)('ends a body that drips for ever at the time limit, %s', async (_, way) => {
  let left = false;
  const { egress } = await egressTo((__, response) => {
    response.writeHead(200).write('a');
    const dripping = setInterval(() => response.write('b'), 10);
    response.on('close', () => {
      left = true;
      clearInterval(dripping);
    });
  }, way);
  const answer = await egress.open(asking({ deadlineMs: 200 }));
  if (answer.kind !== 'answered') throw new Error(answer.kind);
  const { bytes, isWhole } = await readAnswer(answer, 1_000_000);
  expect(bytes.byteLength).toBeGreaterThan(0);
  expect(isWhole).toBe(false);
  await expect.poll(() => left).toBe(true);
});

test.each(ways)('reads no more than the cap of a body without end, %s', async (_, way) => {
  let left = false;
  const { egress } = await egressTo((__, response) => {
    const flood = (): void => {
      while (response.write(Buffer.alloc(65_536)));
    };
    response
      .writeHead(200)
      .on('drain', flood)
      .on('close', () => {
        left = true;
      });
    flood();
  }, way);
  const answer = await egress.open(asking());
  if (answer.kind !== 'answered') throw new Error(answer.kind);
  const { bytes, isWhole } = await readAnswer(answer, 16_384);
  expect([bytes.byteLength, isWhole]).toEqual([16_384, false]);
  await expect.poll(() => left).toBe(true);
});

test.each(ways)('gives up on a server that never finishes its greeting, %s', async (_, way) => {
  let left = false;
  const silent = createTcpServer((socket) => {
    socket.resume().on('error', () => undefined);
    socket.on('close', () => {
      left = true;
    });
  });
  const { connect: toTest } = internet(await listening(silent));
  const egress = createEgress({ resolve: toPublic, connect: toTest, ...way });
  expect(await egress.open(asking({ deadlineMs: 150 }))).toEqual({ kind: 'unreachable', reason: 'deadline' });
  await expect.poll(() => left).toBe(true);
});

test('gives up on names that no server resolves, and when the caller does', async () => {
  const { promise } = Promise.withResolvers<readonly string[]>();
  const egress = createEgress({ resolve: () => promise });
  expect(await egress.open(asking({ deadlineMs: 50 }))).toEqual({ kind: 'unreachable', reason: 'deadline' });
  const signal = AbortSignal.abort();
  expect(await egress.open(asking({ signal }))).toEqual({ kind: 'unreachable', reason: 'aborted' });
});

test.each([
  ['hangs up', ''],
  ['speaks another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
  ['sends headers without end', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`],
  ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  [
    'contradicts itself about lengths',
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
])('survives a server that %s', async (_, text) => {
  const port = await listening(createTcpServer((socket) => void socket.on('error', () => undefined).end(text)));
  for (const [, way] of ways) {
    const egress = createEgress({ resolve: toPublic, schemes: ['http'], connect: internet(port).connect, ...way });
    expect(await egress.open(asking({ url: 'http://hooks.example.com/' }))).toEqual({
      kind: 'unreachable',
      reason: 'connection',
    });
  }
});

test.each(ways)('tells a body that broke off from a whole one, %s', async (_, way) => {
  const { egress } = await egressTo((__, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
  }, way);
  const answer = await egress.open(asking());
  if (answer.kind !== 'answered') throw new Error(answer.kind);
  expect(await readAnswer(answer, 1_000)).toMatchObject({ isWhole: false });
});

test('ignores proxies of the environment', async () => {
  let proxied = 0;
  const proxy = createServer((_, response) => {
    proxied += 1;
    response.end();
  });
  const proxyUrl = `http://127.0.0.1:${await listening(proxy)}`;
  const { egress } = await egressTo((_, response) => void response.end('direct'));
  const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY'];
  const before = names.map((name) => process.env[name]);
  for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : proxyUrl;
  try {
    expect(await egress.open(asking())).toMatchObject({ kind: 'answered', status: 200 });
  } finally {
    names.forEach((name, index) => {
      const value = before[index];
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    });
  }
  expect(proxied).toBe(0);
});

test("leaves by the host's own agent where there is one, and asks no name server then", async () => {
  const port = await listening(createServer((request, response) => void response.end(request.headers.host)));
  const agent = new Agent();
  agent.createConnection = () => connect(port, '127.0.0.1');
  const egress = createEgress({ schemes: ['http', 'https'], agents: { http: agent } });
  const answer = await egress.open(asking({ url: 'http://hooks.example.com/' }));
  if (answer.kind !== 'answered') throw new Error(answer.kind);
  expect(Buffer.from((await readAnswer(answer, 100)).bytes).toString()).toBe('hooks.example.com');
  expect(await egress.open(asking({ url: 'http://10.0.0.1/' }))).toEqual({ kind: 'refused', reason: 'ip_address' });
  expect(await egress.open(asking())).toEqual({ kind: 'unreachable', reason: 'connection' });
});

test('bounds the head of an answer itself, whatever the process allows', async () => {
  const port = await listening(createServer((_, response) => void response.end()));
  const agent = new Agent();
  const bounds: unknown[] = [];
  agent.createConnection = (options) => {
    bounds.push(Reflect.get(options, 'maxHeaderSize'));
    return connect(port, '127.0.0.1');
  };
  const egress = createEgress({ schemes: ['http'], agents: { http: agent } });
  expect(await egress.open(asking({ url: 'http://hooks.example.com/' }))).toMatchObject({ kind: 'answered' });
  expect(bounds).toEqual([16_384]);
});

test('fetches as `fetch` does, with a cap that is an error', async () => {
  const { egress } = await egressTo((request, response) => {
    if (request.url === '/empty') response.writeHead(204).end();
    else if (request.url === '/long') response.end('x'.repeat(2_000));
    else
      response
        .writeHead(200, { 'set-cookie': ['a=1', 'b=2'] })
        .end(`${request.method} ${String(request.headers['x-a'])}`);
  });
  const guardedFetch = createGuardedFetch(egress, { deadlineMs: 5_000, answerBytesMax: 1_000 });
  const response = await guardedFetch(new URL('https://hooks.example.com/'), {
    method: 'POST',
    headers: { 'x-a': 'b' },
    body: '{}',
  });
  expect([response.status, response.headers.getSetCookie(), await response.text()]).toEqual([
    200,
    ['a=1', 'b=2'],
    'POST b',
  ]);
  expect((await guardedFetch('https://hooks.example.com/empty')).status).toBe(204);
  await expect((await guardedFetch('https://hooks.example.com/long')).text()).rejects.toThrow(TypeError);
  await expect(guardedFetch('https://127.0.0.1/')).rejects.toThrow('No answer: refused, ip_address');
});

test('asks the policy of the host where a request may go before it does anything, and at every redirect', async () => {
  const seen: unknown[] = [];
  const resolved: string[] = [];
  const resolve = async (name: string): Promise<readonly string[]> => {
    resolved.push(name);
    return [publicAddress];
  };
  const { egress } = await egressTo(
    (request, response) => {
      seen.push([request.url, request.headers['x-key'], request.headers['x-own']]);
      if (request.url === '/away') response.writeHead(302, { location: 'https://other.example.net/' }).end();
      else response.writeHead(302, { location: '/away' }).end();
    },
    { resolve },
  );
  const asked: string[] = [];
  const admit: NonNullable<GuardedRequest['admit']> = (url) => {
    asked.push(url.href);
    return Promise.resolve(
      url.hostname === 'hooks.example.com'
        ? { kind: 'allowed', headers: { 'X-Key': `for ${url.pathname}` } }
        : { kind: 'refused' },
    );
  };
  const request = asking({ admit, headers: { 'x-key': 'replaced', 'x-own': 'kept' }, redirectsMax: 3 });
  expect(await egress.open(request)).toEqual({ kind: 'refused', reason: 'not_allowed' });
  expect(asked).toEqual([asking().url, 'https://hooks.example.com/away', 'https://other.example.net/']);
  expect(seen).toEqual([
    ['/path?a=b', 'for /path', 'kept'],
    ['/away', 'for /away', 'kept'],
  ]);
  expect(resolved).toEqual(['hooks.example.com', 'hooks.example.com']);
});

const withKey: NonNullable<GuardedRequest['admit']> = ({ pathname }) =>
  Promise.resolve({ kind: 'allowed', headers: pathname === '/next' ? {} : { 'x-key': 'secret' } });

test('hands no header of an address to the next one', async () => {
  const seen: unknown[] = [];
  const { egress } = await egressTo((request, response) => {
    seen.push(request.headers['x-key']);
    if (request.url === '/next') response.end('here');
    else response.writeHead(302, { location: '/next' }).end();
  });
  expect(await egress.open(asking({ admit: withKey, redirectsMax: 1 }))).toMatchObject({ status: 200 });
  expect(seen).toEqual(['secret', undefined]);
});

test('still refuses what cannot be read, although the policy allows it', async () => {
  const { egress } = await egressTo((_, response) => void response.end());
  for (const url of ['no address', 'https://10.0.0.1/', 'https://hooks.example.com:8443/'])
    expect(await egress.open(asking({ url, admit: withKey }))).toMatchObject({ kind: 'refused' });
});

test('follows no address that an answer names which is no redirect', async () => {
  const seen: (string | undefined)[] = [];
  const { egress } = await egressTo((request, response) => {
    seen.push(request.url);
    response.writeHead(201, { location: '/elsewhere' }).end('made');
  });
  const answer = await egress.open(asking({ redirectsMax: 3 }));
  expect(answer).toMatchObject({ kind: 'answered', status: 201 });
  expect(seen).toEqual(['/path?a=b']);
});

test.each(ways)('reads a body for nothing up to a bound, and ends one that has more, %s', async (_, way) => {
  const { egress } = await egressTo((request, response) => {
    if (request.url === '/short') return void response.end('x'.repeat(100));
    response.write('x'.repeat(100));
    return undefined;
  }, way);
  const open = async (path: string) => {
    const answer = await egress.open(asking({ url: `https://hooks.example.com${path}` }));
    if (answer.kind !== 'answered') throw new Error('the server must answer');
    return answer;
  };
  const short = await open('/short');
  await short.discard(100);
  expect(short.isWhole()).toBe(true);
  const long = await open('/long');
  await long.discard(99);
  expect(long.isWhole()).toBe(false);
});

test('keeps a connection for the next request to the same addresses, and lets go of it in the end', async () => {
  const sockets = new Set<Socket>();
  const { connected, egress } = await egressTo(
    (request, response) => {
      sockets.add(request.socket);
      response.writeHead(200, { 'x-a': ['1', '2'], 'set-cookie': ['a=1', 'b=2'] }).end('thanks');
    },
    { idleMs: 60_000 },
  );
  for (const path of ['/one', '/two']) {
    const answer = await egress.open(asking({ url: `https://hooks.example.com${path}` }));
    if (answer.kind !== 'answered') throw new Error(answer.kind);
    expect([answer.headers['x-a'], answer.headers['set-cookie']]).toEqual(['1, 2', ['a=1', 'b=2']]);
    expect(await readAnswer(answer, 100)).toMatchObject({ isWhole: true });
  }
  expect(connected).toHaveLength(1);
  egress.close();
  await expect.poll(() => [...sockets].map(({ destroyed }) => destroyed)).toEqual([true]);
});

test('keeps no connection whose response was not read to its end, and opens none in its place', async () => {
  let closed = 0;
  const ended = (): number => closed;
  const { connected, egress } = await egressTo(
    (request, response) => {
      request.socket.on('close', () => {
        closed += 1;
      });
      response.end('x'.repeat(1_000_000));
    },
    { idleMs: 60_000 },
  );
  for (let at = 0; at < 2; at += 1) {
    const answer = await egress.open(asking());
    if (answer.kind !== 'answered') throw new Error(answer.kind);
    answer.close();
  }
  await expect.poll(ended).toBe(2);
  expect(connected).toHaveLength(2);
  egress.close();
});
