import { afterEach, expect, test } from 'vitest';
import { startFakeNameServer, type FakeNameServer, type NameAnswer } from '@tollgate/testing/fakes';
import { createAddressGuard } from './address-guard.ts';
import { createAddressResolver } from './address-resolver.ts';

const running: FakeNameServer[] = [];
afterEach(() => {
  for (const server of running.splice(0)) server.close();
});

const guardOver = async (answer: (name: string) => NameAnswer) => {
  const names = await startFakeNameServer(answer);
  running.push(names);
  const resolve = createAddressResolver({ tryMs: 100, triesMax: 2, servers: [names.server] });
  return { names, guard: createAddressGuard({ resolve }) };
};
const saying = (...addresses: readonly string[]): NameAnswer => ({ kind: 'addresses', addresses });

test('accepts a name whose every address is public, and says which those are', async () => {
  const { guard } = await guardOver(() => saying('93.184.215.14', '93.184.215.15'));
  const verdict = await guard.check('https://hooks.example.com/a');
  expect(verdict).toMatchObject({ kind: 'checked', url: { href: 'https://hooks.example.com/a' } });
  expect(verdict.kind === 'checked' && verdict.addresses.toSorted()).toEqual(['93.184.215.14', '93.184.215.15']);
});

test('refuses a name with one address among many that is not public', async () => {
  const { guard } = await guardOver(() => saying('93.184.215.14', '10.0.0.7', '93.184.215.15'));
  expect(await guard.check('https://hooks.example.com/')).toEqual({ kind: 'refused', reason: 'not_public' });
});

test('counts a name that has only other addresses than IPv4 as unresolved', async () => {
  const { guard } = await guardOver(() => ({ kind: 'none' }));
  expect(await guard.check('https://hooks.example.com/')).toEqual({ kind: 'unresolved' });
});

test('counts a name that no server resolves as unresolved, in bounded time', async () => {
  const { guard, names } = await guardOver(() => ({ kind: 'silence' }));
  expect(await guard.check('https://hooks.example.com/')).toEqual({ kind: 'unresolved' });
  expect(names.asked.length).toBe(2);
});

test('sees a name that has moved since it was checked', async () => {
  let address = '93.184.215.14';
  const { guard } = await guardOver(() => saying(address));
  expect((await guard.check('https://hooks.example.com/')).kind).toBe('checked');
  address = '169.254.169.254';
  expect(await guard.check('https://hooks.example.com/')).toEqual({ kind: 'refused', reason: 'not_public' });
});

test('asks no resolver about an address that is refused as it stands', async () => {
  const { guard, names } = await guardOver(() => saying('93.184.215.14'));
  for (const url of ['https://127.0.0.1/', 'http://example.com/', 'https://localhost/', 'https://u:p@example.com/'])
    expect((await guard.check(url)).kind).toBe('refused');
  expect(names.asked).toEqual([]);
});

test('leaves names to the agent of the host where there is one, and reads addresses no less strictly', async () => {
  const guard = createAddressGuard({ resolve: 'elsewhere' });
  expect(await guard.check('https://hooks.example.com/')).toMatchObject({ kind: 'checked', addresses: [] });
  expect(await guard.check('https://10.0.0.1/')).toEqual({ kind: 'refused', reason: 'ip_address' });
});

test('resolves a name once for all that ask for it meanwhile, and again for the next', async () => {
  const asked: string[] = [];
  const waiting: ((addresses: readonly string[]) => void)[] = [];
  const guard = createAddressGuard({
    resolve: (name) => {
      asked.push(name);
      return new Promise((resolve) => waiting.push(resolve));
    },
  });
  const both = ['/a', '/b'].map((path) => guard.check(`https://hooks.example.com${path}`));
  expect(asked).toEqual(['hooks.example.com']);
  waiting.shift()?.(['93.184.215.14']);
  expect((await Promise.all(both)).map((verdict) => verdict.kind === 'checked' && verdict.url.pathname)).toEqual([
    '/a',
    '/b',
  ]);
  const next = guard.check('https://hooks.example.com/a');
  expect(asked).toHaveLength(2);
  waiting.shift()?.(['10.0.0.1']);
  expect(await next).toEqual({ kind: 'refused', reason: 'not_public' });
});
