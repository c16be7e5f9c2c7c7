import type { Attempt, Caller, GenerationCall, Provider } from '@tollgate/provider';
import { fakeClock, sampleCaller, scriptedProvider, type ScriptedStep } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { balance, type BalancedProvider } from './balance.ts';
import type { BalanceOrder } from './balance-order.ts';
import { rendezvous } from './rendezvous.ts';
import { withCircuitBreaker } from './with-circuit-breaker.ts';

const call: GenerationCall = {
  operationId: 'operation',
  upstreamModel: 'model',
  systemInstruction: null,
  contents: [],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
};

interface Asked {
  readonly caller?: Partial<Caller>;
  readonly endUser?: string;
}

/** The providers that were asked, in order. */
const ask = async (provider: Provider, { caller = {}, endUser }: Asked = {}): Promise<string> => {
  const asked: string[] = [];
  const context = {
    caller: { ...sampleCaller, ...caller },
    signal: new AbortController().signal,
    recordAttempt: (attempt: Attempt) => void asked.push(attempt.provider ?? ''),
  };
  await provider.generate?.(endUser === undefined ? call : { ...call, endUser }, context).catch(() => undefined);
  return asked.join('');
};

const named = (...names: readonly string[]): readonly BalancedProvider[] =>
  names.map((name) => ({ provider: scriptedProvider({ name }) }));
const projects = Array.from({ length: 200 }, (_, place) => `project-${place}`);

const spread = async (provider: Provider): Promise<readonly string[]> => {
  const asked: string[] = [];
  for (const projectId of projects) asked.push(await ask(provider, { caller: { projectId } }));
  return asked;
};

test('keeps each project on one provider, in every process, and all providers at work', async () => {
  const order = { kind: 'sticky' } as const;
  const first = await spread(balance(named('a', 'b', 'c'), { order }));
  expect(await spread(balance(named('c', 'a', 'b'), { order }))).toEqual(first);
  for (const name of ['a', 'b', 'c']) expect(first.filter((asked) => asked === name).length).toBeGreaterThan(40);
});

test('moves no project but those of a provider that is gone', async () => {
  const order = { kind: 'sticky' } as const;
  const before = await spread(balance(named('a', 'b', 'c'), { order }));
  const after = await spread(balance(named('a', 'c'), { order }));
  expect(before.filter((asked, place) => asked !== 'b' && after[place] !== asked)).toEqual([]);
});

test('gives each provider projects by its weight', () => {
  const entries = [
    { item: 'a', name: 'a', weight: 3 },
    { item: 'b', name: 'b', weight: 1 },
  ];
  const first = Array.from({ length: 4_000 }, (_, place) => rendezvous(entries, `key ${place}`)[0]);
  const share = first.filter((item) => item === 'a').length / first.length;
  expect(share).toBeGreaterThan(0.72);
  expect(share).toBeLessThan(0.78);
});

test.each<readonly [NonNullable<Extract<BalanceOrder, { kind: 'sticky' }>['to']>, keyof Caller]>([
  ['key', 'keyId'],
  ['project', 'projectId'],
  ['account', 'accountId'],
])('keeps together what belongs to one %s, and nothing else', async (to, member) => {
  const provider = balance(named('a', 'b', 'c', 'd'), { order: { kind: 'sticky', to } });
  const others = (['keyId', 'projectId', 'accountId'] as const).filter((name) => name !== member);
  const same = await Promise.all(
    projects.map((id) => ask(provider, { caller: Object.fromEntries(others.map((name) => [name, id])) })),
  );
  expect(new Set(same).size).toBe(1);
  const different = await Promise.all(projects.map((id) => ask(provider, { caller: { [member]: id } })));
  expect(new Set(different).size).toBe(4);
});

test('keeps an end user together within its project, and a key where none is named', async () => {
  const provider = balance(named('a', 'b', 'c', 'd'), { order: { kind: 'sticky', to: 'end_user' } });
  const byKey = (endUser?: string) =>
    Promise.all(
      projects.map((keyId) =>
        ask(provider, endUser === undefined ? { caller: { keyId } } : { caller: { keyId }, endUser }),
      ),
    );
  expect(new Set(await byKey('user')).size).toBe(1);
  expect(new Set(await byKey()).size).toBe(4);
  const byProject = projects.map((projectId) => ask(provider, { caller: { projectId }, endUser: 'user' }));
  expect(new Set(await Promise.all(byProject)).size).toBe(4);
});

test('goes to the next of its order while its provider is out of reach, and comes back', async () => {
  const clock = fakeClock();
  const dead = { kind: 'not_executed', reason: 'unavailable', sent: false } as const;
  const members = ['a', 'b', 'c'].map((name) => scriptedProvider({ name }));
  const provider = balance(
    members.map((member) => ({
      provider: withCircuitBreaker(member, { failuresMax: 1, openMs: 1_000, now: clock.now }),
    })),
    { order: { kind: 'sticky' } },
  );
  const home = await ask(provider);
  members.find(({ name }) => name === home)?.script(dead);
  const moved = await ask(provider);
  expect(moved).toMatch(new RegExp(`^${home}[abc]$`));
  expect(await ask(provider)).toBe(moved.slice(1));
  await clock.advance(1_000);
  expect(await ask(provider)).toBe(home);
});

const slowed = (name: string, after: (ms: number) => Promise<void>, ms: () => number): Provider => {
  const scripted = scriptedProvider({ name });
  return {
    name,
    generate: (given, context) => {
      const step: ScriptedStep = { kind: 'wait', until: after(ms()), next: { kind: 'answer' } };
      scripted.script(step);
      return scripted.generate(given, context);
    },
    generateStream: (given, context, onParts) => {
      const first = after(ms());
      const next = { kind: 'answer', pieces: [] } as const;
      scripted.script({ kind: 'wait', until: first, next: { kind: 'wait', until: after(5_000), next } });
      return first.then(() => {
        onParts([{ kind: 'text', text: 'x' }]);
        return scripted.generateStream(given, context, onParts);
      });
    },
  };
};

const timed = async (order: Omit<Extract<BalanceOrder, { kind: 'latency' }>, 'kind' | 'now'> = {}) => {
  const clock = fakeClock();
  const ms = { a: 100, b: 400 };
  const provider = balance(
    [{ provider: slowed('a', clock.sleep, () => ms.a) }, { provider: slowed('b', clock.sleep, () => ms.b) }],
    { order: { kind: 'latency', now: clock.now, ...order } },
  );
  const shares = async (count: number): Promise<number> => {
    let ofFirst = 0;
    for (let asked = 0; asked < count; asked += 1) {
      const answer = ask(provider);
      await clock.advance(1_000);
      if ((await answer) === 'a') ofFirst += 1;
    }
    return ofFirst / count;
  };
  return { clock, ms, shares, provider };
};

test('gives more turns to the provider that answers sooner, and some to the other', async () => {
  const { shares } = await timed({ halfLifeMs: 1e9 });
  await shares(10);
  // Four times as fast, squared: 16 of 17.
  const share = await shares(170);
  expect(share).toBeGreaterThan(0.92);
  expect(share).toBeLessThan(0.97);
});

test('keeps a share for the slowest, and notices that it has become fast', async () => {
  const { ms, shares } = await timed({ halfLifeMs: 1e9, shareMin: 0.25 });
  ms.b = 900;
  await shares(20);
  expect(await shares(50)).toBe(0.8);
  ms.a = 900;
  ms.b = 100;
  await shares(100);
  expect(await shares(50)).toBeLessThan(0.3);
});

test('forgets what speaks against a provider that it has not measured for long', async () => {
  const { clock, shares } = await timed({ halfLifeMs: 1_000_000 });
  await shares(20);
  expect(await shares(10)).toBeGreaterThan(0.85);
  await clock.advance(20_000_000);
  expect(await shares(4)).toBeLessThan(0.9);
});

test('measures a stream to its first piece', async () => {
  const { clock, ms, provider } = await timed({ halfLifeMs: 1e9 });
  ms.a = 10;
  ms.b = 1_000;
  const asked: string[] = [];
  for (let count = 0; count < 40; count += 1) {
    const context = {
      caller: sampleCaller,
      signal: new AbortController().signal,
      recordAttempt: (attempt: Attempt) => void asked.push(attempt.provider ?? ''),
    };
    const streamed = provider.generateStream?.(call, context, () => {});
    await clock.advance(7_000);
    await streamed;
  }
  expect(asked.filter((name) => name === 'a').length).toBeGreaterThan(34);
});

test('refuses an order that cannot be meant', () => {
  for (const order of [
    { kind: 'random' },
    { kind: 'sticky', to: 'city' },
    { kind: 'latency', shareMin: 0 },
    { kind: 'latency', halfLife: 3 },
    null,
  ])
    expect(() => balance(named('a'), { order: order as unknown as BalanceOrder })).toThrow(/order/);
});
