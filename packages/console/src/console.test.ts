import { describe, expect, test } from 'vitest';
import { consoleHandler } from './console-handler.ts';
import { consoleSessions, sameText } from './console-sessions.ts';

const origin = 'https://ops.example.com';
const fromPage = { 'x-tollgate-console': '1' };
const secret = 'a secret of at least 32 characters, for tests';

interface Visitor {
  readonly name: string;
}

const world = (change: Partial<Parameters<typeof consoleSessions<Visitor>>[0]> = {}) => {
  const clock = { nowMs: 1_000_000 };
  const asked: Request[] = [];
  const sessions = consoleSessions<Visitor>({
    secret,
    signIn: (credential) => (credential === 'right' ? { name: 'Olga' } : null),
    sessionSeconds: 60,
    refusalsMax: 3,
    nowMs: () => clock.nowMs,
    ...change,
  });
  const admin = async (request: Request): Promise<Response> => {
    asked.push(request);
    return Response.json({ visitor: await sessions.authorize(request) });
  };
  const handle = consoleHandler({ admin, sessions, gateway: { fetch: admin } });
  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    handle(new Request(`${origin}${path}`, init));
  const signIn = (credential: string): Promise<Response> =>
    send('/console/session', { method: 'POST', headers: fromPage, body: JSON.stringify({ credential }) });
  const cookieOf = async (): Promise<string> =>
    ((await signIn('right')).headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const visitorOf = async (cookie: string): Promise<unknown> =>
    ((await (await send('/console/api/me', { headers: { ...fromPage, cookie } })).json()) as { visitor: unknown })
      .visitor;
  return { clock, asked, send, signIn, cookieOf, visitorOf, handle };
};

/** A console whose sign-in returns an identity of so many characters. */
const sized = (characters: number) => world({ signIn: () => ({ name: 'o'.repeat(characters) }) });

describe('the files of the console', () => {
  test('are a page that is never cached, and files that are cached for good under names that follow their content', async () => {
    const { send } = world();
    const page = await send('/console/');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|style="|<style/u);
    const names = Array.from(html.matchAll(/(?:src|href)="([^"]+)"/gu), ([, name = '']) => name);
    expect(names).toHaveLength(3);
    for (const name of names) {
      const file = await send(`/console/${name}`);
      expect(file.status).toBe(200);
      expect(file.headers.get('cache-control')).toContain('immutable');
      expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('are found below the path with its slash, and nowhere else', async () => {
    const { send } = world();
    const redirect = await send('/console');
    expect([redirect.status, redirect.headers.get('location')]).toEqual([308, '/console/']);
    expect((await send('/consoles/')).status).toBe(404);
    expect((await send('/console/console.0000000000000000.js', { headers: fromPage })).status).toBe(404);
  });

  test('escape what the host calls the console', async () => {
    const handle = consoleHandler({
      admin: () => Promise.resolve(new Response()),
      title: '"><script>alert(1)</script>',
    });
    expect(await (await handle(new Request(`${origin}/console/`))).text()).not.toContain('<script>alert');
  });
});

describe('what the page asks for', () => {
  test('is refused without the header that a page of another site cannot send', async () => {
    const { send, asked } = world();
    expect((await send('/console/api/accounts', { method: 'POST' })).status).toBe(403);
    expect((await send('/console/session', { method: 'POST', body: '{"credential":"right"}' })).status).toBe(403);
    expect(asked).toEqual([]);
  });

  test('reaches the administration and the gateway under their own paths, with query and body', async () => {
    const { send, asked } = world();
    await send('/console/api/accounts?limit=2', { headers: fromPage });
    await send('/console/gateway/chat/completions', { method: 'POST', headers: fromPage, body: '{"a":1}' });
    expect(asked.map(({ url }) => url)).toEqual([
      `${origin}/admin/accounts?limit=2`,
      `${origin}/api/v1/ai/chat/completions`,
    ]);
    expect(await asked[1]?.text()).toBe('{"a":1}');
  });

  test('has the headers of the console on its responses', async () => {
    const { send } = world();
    const response = await send('/console/api/me', { headers: fromPage });
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

describe('a session of the console', () => {
  test('begins with a credential and lies in a cookie that scripts and other sites do not get', async () => {
    const { signIn, cookieOf, visitorOf } = world();
    const response = await signIn('right');
    expect(response.status).toBe(204);
    const cookie = response.headers.get('set-cookie') ?? '';
    for (const attribute of ['__Host-', 'HttpOnly', 'SameSite=Strict', 'Secure', 'Path=/', 'Max-Age=60'])
      expect(cookie).toContain(attribute);
    expect(await visitorOf(await cookieOf())).toEqual({ name: 'Olga' });
  });

  test('ends at its time, whatever the browser keeps', async () => {
    const { clock, cookieOf, visitorOf } = world();
    const cookie = await cookieOf();
    clock.nowMs += 59_999;
    expect(await visitorOf(cookie)).toEqual({ name: 'Olga' });
    clock.nowMs += 1;
    expect(await visitorOf(cookie)).toBeNull();
  });

  test('is not opened by a text that was not signed with the secret', async () => {
    const { cookieOf, visitorOf } = world();
    const cookie = await cookieOf();
    const [name = '', text = ''] = cookie.split(/=(.*)/su);
    const [body = '', signature = ''] = text.split('.');
    const forged = Buffer.from(JSON.stringify({ identity: { name: 'Eve' }, expiresAtMs: 1e15 })).toString('base64url');
    for (const wrong of [`${forged}.${signature}`, `${body}.${signature.slice(1)}A`, body, `${body}.`, 'ü.ü', '.'])
      expect(await visitorOf(`${name}=${wrong}`)).toBeNull();
    const other = world({ secret: 'another secret of at least 32 characters' });
    expect(await other.visitorOf(cookie)).toBeNull();
  });

  test('stays while its secret is rotated, and ends when the secret is gone', async () => {
    const next = 'the next secret of at least 32 characters';
    const cookie = await world().cookieOf();
    expect(await world({ secret: [next, secret] }).visitorOf(cookie)).toEqual({ name: 'Olga' });
    expect(await world({ secret: next }).visitorOf(cookie)).toBeNull();
  });

  test('is asked about again at each request where the host says so', async () => {
    let isStaff = true;
    const { cookieOf, visitorOf } = world({ stillValid: (visitor) => (isStaff ? visitor : null) });
    const cookie = await cookieOf();
    expect(await visitorOf(cookie)).toEqual({ name: 'Olga' });
    isStaff = false;
    expect(await visitorOf(cookie)).toBeNull();
  });

  test('is refused to wrong credentials, and to all after too many of them in a minute', async () => {
    const { clock, signIn } = world();
    for (let tries = 0; tries < 3; tries += 1) expect((await signIn('wrong')).status).toBe(401);
    const refused = await signIn('right');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    clock.nowMs += 60_000;
    expect((await signIn('right')).status).toBe(204);
  });

  test('is refused where a browser would drop its cookie, and opened where it would just keep it', async () => {
    const refused = await sized(4_000).signIn('right');
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([500, null]);
    expect(await refused.json()).toMatchObject({
      error: { code: 'session_too_long', message: expect.stringContaining('Accepted are 4073') },
    });
    let kept = 0;
    for (let characters = 2_900; characters < 3_100; characters += 1) {
      const { signIn, visitorOf } = sized(characters);
      const response = await signIn('right');
      if (response.status === 500) continue;
      const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      expect(cookie.length).toBeLessThanOrEqual(4_097);
      expect(await visitorOf(cookie)).toEqual({ name: 'o'.repeat(characters) });
      kept = characters;
    }
    expect(kept).toBeGreaterThan(2_900);
    expect(kept).toBeLessThan(3_099);
  });

  test('is refused with 503 where the sign-in of the host fails', async () => {
    const { signIn } = world({ signIn: () => Promise.reject(new Error('down')) });
    expect((await signIn('right')).status).toBe(503);
  });

  test.each([
    ['no JSON', 'x'],
    ['no credential', '{}'],
    ['a credential that is too long', JSON.stringify({ credential: 'x'.repeat(1_025) })],
    ['a body that is too long', `{"credential":"right","more":"${'x'.repeat(5_000)}"}`],
  ])('does not begin with %s', async (_, body) => {
    const { send } = world();
    expect((await send('/console/session', { method: 'POST', headers: fromPage, body })).status).toBe(400);
  });

  test('ends in this browser on demand', async () => {
    const { send } = world();
    const response = await send('/console/session', { method: 'DELETE', headers: fromPage });
    expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
  });

  test('has no weak secret', () => {
    for (const weak of ['short', [], ['long enough, with 32 characters or more', 'short']])
      expect(() => world({ secret: weak })).toThrow('at least 32 characters');
  });
});

test('texts are compared in one way, whatever they are', async () => {
  expect(await sameText('a', 'a')).toBe(true);
  expect(await sameText('a', 'b')).toBe(false);
  expect(await sameText('a', 'aa')).toBe(false);
  expect(await sameText('', '')).toBe(true);
});

test('refuses an administration that is no fetch handler when it is made', () => {
  // What the type forbids is what the test is about: plain JavaScript may pass anything.
  const given = { admin: { readAccount: () => null } } as unknown as Parameters<typeof consoleHandler>[0];
  expect(() => consoleHandler(given)).toThrow('consoleHandler: admin is no function; accepted is what adminHandler');
});
