import {
  startUpstream,
  ruleIds,
  rules,
  runConformance,
  selectCases,
  type ConformanceReport,
} from '@tollgate/conformance';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../packages/conformance/src/command/run-command.ts';
import { watchedRules } from '../../packages/conformance/src/kit/watch-answers.ts';
import { unseenReason } from '../../packages/conformance/src/rules/unseen-rules.ts';
import { findBrokenRules } from '../../docs/snippets/conformance.ts';
import { requirements } from '../requirements.ts';
import { faults } from './faults.ts';
import { serveForTheKit, type Served } from './served-for-the-kit.ts';
import { serveWrong } from './wrong-gateway.ts';

let served: Served;
beforeAll(async () => {
  served = await serveForTheKit();
});
afterAll(() => served.close());

const failedRules = (report: ConformanceReport): readonly string[] =>
  report.rules.filter(({ kind }) => kind === 'failed').map(({ id }) => id);

/** Runs the command; returns its exit code and what it wrote. */
const command = async (...args: readonly string[]) => {
  const printed: string[] = [];
  const complained: string[] = [];
  const code = await runCommand(args, {
    print: (text) => printed.push(text),
    complain: (text) => complained.push(text),
  });
  return { code, printed: printed.join('\n'), complained: complained.join('\n') };
};

test('the kit has every rule of the contract, with its sentence', () => {
  expect(rules).toEqual(Object.fromEntries(requirements.map(({ id, rule }) => [id, rule])));
});

test('every rule has a case, or a reason why no response shows it, and not both', () => {
  const covered = new Set([...selectCases([]).flatMap((one) => one.rules), ...watchedRules]);
  expect(ruleIds.filter((id) => covered.has(id) === (unseenReason(id) !== undefined))).toEqual([]);
});

test('every case has a title of its own', () => {
  const titles = selectCases([]).map(({ title }) => title);
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
});

test('the quick rules pass against our gateway', async () => {
  const only = ['models:record', 'chat:messages', 'errors:path:method', 'idempotency:conflict'];
  const report = await runConformance({ ...served.options, only });
  expect(failedRules(report)).toEqual([]);
  expect(report.rules.filter(({ kind }) => kind === 'passed').length).toBeGreaterThan(5);
  expect(report.credits).toBeGreaterThan(0);
});

test('what one project has is hidden from another, and the command says what of it was not tried', async () => {
  const only = ['auth:project:isolated'];
  expect(failedRules(await runConformance({ ...served.options, only }))).toEqual([]);
  const { keys, otherKey = '' } = served.options;
  const given = keys.flatMap((key) => ['--key', key]);
  const { code, printed } = await command(served.base, ...given, '--other-key', otherKey, '--only', ...only);
  expect(code).toBe(0);
  expect(printed).toMatch(
    /in part.+\n +hides webhooks from other projects: needs to receive webhooks.+\n +auth:project:/u,
  );
});

const quick = new Set([
  'returns 400 where a field is invalid',
  'gives one cursor twice',
  'sends the end first',
  'shows one project the schedules of another',
  'lets one project change the caches of another',
  'lets one project change the webhooks of another',
  'shows one project the documents of another',
  'hands one project the videos of another',
]);

test.each(faults.filter(({ what }) => quick.has(what)))('a gateway that $what breaks $rule', async (fault) => {
  const wrong = await serveWrong(fault, served.base);
  try {
    const report = await runConformance({ ...served.options, base: wrong.base, only: [fault.rule] });
    expect(failedRules(report)).toContain(fault.rule);
    const broken = report.rules.find(({ id }) => id === fault.rule);
    expect(broken?.kind === 'failed' && broken.failures[0]?.exchange?.request).toMatch(/authorization: Bearer <key>/u);
  } finally {
    await wrong.close();
  }
});

test('the program of the documentation finds no broken rule', async () => {
  const [key = ''] = served.options.keys;
  expect([...(await findBrokenRules(served.base, key))]).toEqual([]);
});

test('the command says what it spends, passes, and reports broken rules with their sentence', async () => {
  const [key = ''] = served.options.keys;
  const passed = await command(served.base, '--key', key, '--only', 'models:list');
  expect(passed.code).toBe(0);
  expect(passed.printed).toMatch(/^Spends +about \d+ charged calls?,/mu);
  const [, count = ''] = /rules: (\d+) passed, 0 failed/u.exec(passed.printed) ?? [];
  expect(passed.printed.split('\n').at(-1)).toBe(
    `Coverage: ${count} of the ${ruleIds.length} rules of the contract seen`,
  );
  const fault = faults.find(({ rule }) => rule === 'models:record:usable-with-key');
  const wrong = await serveWrong(fault ?? faults[0] ?? { what: '', rule: 'limits:table' }, served.base);
  const failed = await command(wrong.base, '--key', key, '--only', 'models:record');
  await wrong.close();
  expect(failed.code).toBe(1);
  expect(failed.printed).toContain(
    `FAILED  models:record:usable-with-key\n    ${rules['models:record:usable-with-key']}`,
  );
  expect(failed.printed).not.toContain(key);
});

test('the command lists cases without calling anything', async () => {
  const { code, printed } = await command('--list', '--only', 'idempotency:scope');
  expect(code).toBe(0);
  expect(printed).toContain('idempotency:scope:project');
});

test('the command lists the cases of the rules that are wanted and no others', async () => {
  const { printed } = await command('--list', '--only', 'auth:key');
  const lines = printed.split('\n').filter((line) => /^ {4}(?!needs)/u.test(line));
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.filter((line) => !line.includes('auth:key'))).toEqual([]);
});

test('a base address that sends no response ends the command within its time', async () => {
  const server = createServer(() => null).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The address of a server on a port is an object.
  const { port } = server.address() as AddressInfo;
  const { code, complained } = await command(`http://127.0.0.1:${port}/api/v1/ai`, '--key', 'x', '--timeout', '0.05');
  server.closeAllConnections();
  server.close();
  expect([code, complained]).toEqual([2, expect.stringMatching(/no response to \/models within 0.05 s/u)]);
});

test('a gateway that is away for the stores disturbs their cases and breaks no rule', async () => {
  const wrong = await serveWrong(
    {
      what: 'is away',
      rule: 'stores:body:display-name',
      about: ({ path }) => path === '/stores',
      answer: () => ({ status: 503, headers: { 'retry-after': '0' }, body: 'away' }),
    },
    served.base,
  );
  const report = await runConformance({ ...served.options, base: wrong.base, only: ['stores'] });
  await wrong.close();
  expect(failedRules(report)).toEqual([]);
  expect(report.cases.map(({ reason }) => reason)).toContainEqual(expect.stringMatching(/^disturbed: POST \/stores/u));
});

test('a key that is bound to no model passes, and stands for no route that takes its model from the key', async () => {
  const key = served.options.keys.at(-1) ?? '';
  const only = [
    'videos',
    'live:create',
    'live:music',
    'catalog:family',
    'interactions:omni',
    'interactions:agent',
    'agents',
    'caches:use',
    'resources:create',
  ];
  const report = await runConformance({ base: served.base, keys: [key], only });
  expect(failedRules(report)).toEqual([]);
  expect(report.rules.find(({ id }) => id === 'videos:body:prompt')).toMatchObject({ kind: 'not_covered' });
  expect(report.rules.find(({ id }) => id === 'catalog:family:embedding')).toMatchObject({ kind: 'passed' });
});

test.each([
  [
    'a rule that there is not',
    () => [served.base, '--key', 'x', '--only', 'auth:projct'],
    /the nearest is auth:project/u,
  ],
  ['to list a rule that there is not', () => ['--list', '--only', 'nosuchrule'], /There is no rule nosuchrule/u],
  ['a wrong key', () => [served.base, '--key', 'wrong'], /refuses the key wrong… with 401/u],
  ['a base address that no one serves', () => ['http://127.0.0.1:9/api/v1/ai', '--key', 'x'], /cannot be reached: /u],
  ['a server that is no gateway', () => [served.base.replace('/ai', '/elsewhere'), '--key', 'x'], /\/api\/v1\/ai\?/u],
  ['no key', () => [served.base], /--key/u],
  ['no address', () => ['nowhere', '--key', 'x'], /http or https address, not nowhere/u],
  ['an unknown option', () => [served.base, '--keys', 'x'], /--keys/u],
  [
    'a number that is none',
    () => [served.base, '--key', 'x', '--concurrency', '0'],
    /--concurrency takes a whole number/u,
  ],
  ['half of a receiver', () => [served.base, '--key', 'x', '--webhook-port', '1'], /given together/u],
] as const)('the command refuses %s by a sentence and the code 2', async (_, args, sentence) => {
  const { code, complained } = await command(...args());
  expect(code).toBe(2);
  expect(complained).toMatch(sentence);
});

test('the command says that a port is taken', async () => {
  const upstream = await startUpstream(0);
  const { port } = new URL(upstream.url);
  const { code, complained } = await command(served.base, '--key', 'x', '--upstream-port', port);
  await upstream.close();
  expect([code, complained]).toEqual([2, expect.stringContaining(`The upstream at port ${port} cannot be started`)]);
});
