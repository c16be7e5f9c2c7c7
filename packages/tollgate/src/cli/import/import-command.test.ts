import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runIn } from '../../../test/run-in.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-import-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: readonly string[]) => runIn({ TOLLGATE_DB: path.join(folder, 'gateway.db') }, ...words);

const write = (name: string, text: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

const rows = `account,account_name,balance,project,key,key_name,models,cap,requests_per_minute
acme,Acme Ltd,12.5,,k-1,server,"flash-3.8,flash-lite-3.5",5/day,60
acme,,,labs,k-2,,,,
other,Other,,,,,,,
`;

interface PrintedLine {
  readonly kind: 'key' | 'report';
  readonly keyId?: string;
  readonly key?: string | null;
}

/** The lines of `--json`. */
const linesOf = (printed: string): readonly PrintedLine[] =>
  printed.split('\n').map((line) => JSON.parse(line) as PrintedLine);

/** What is said of an account of a file that has no credits after the import. */
const penniless = (account: string, accountId: string): string =>
  `without a balance, so that its calls get 402: ${account}, account ${accountId}\n`;
const otherId = '3bc7aadd-a4f0-8454-80af-5ad1a2a89583';

const keysOf = (printed: string): readonly string[] =>
  printed.split('\n').filter((line) => /,tg_[\w-]{65}$/.test(line));

test('an import makes accounts, projects, keys and balances, and a second run changes nothing', async () => {
  await run('init');
  const file = write('rows.csv', rows);
  const first = await run('import', file, '--from', 'rows');
  expect(first).toMatchObject({
    code: 0,
    complained: `${penniless('other', otherId)}imported: 2 accounts (0 were there), 2 keys (0 were there), 1 deposits of 12.500000 credits (0 were there)`,
  });
  expect(keysOf(first.printed)).toHaveLength(2);
  const before = await Promise.all([run('accounts', '--json'), run('projects', '--json')]);
  const second = await run('import', file, '--from', 'rows');
  expect(second).toMatchObject({
    code: 0,
    complained: `${penniless('other', otherId)}imported: 0 accounts (2 were there), 0 keys (2 were there), 0 deposits of 0.000000 credits (1 were there)`,
  });
  expect(keysOf(second.printed)).toEqual([]);
  expect(await Promise.all([run('accounts', '--json'), run('projects', '--json')])).toEqual(before);
  const [, accountId = '', projectId = '', reference, keyId = ''] = first.printed.split('\n')[1]?.split(',') ?? [];
  expect(reference).toBe('k-1');
  expect((await run('balance', '--account', accountId)).printed).toBe('balance 12.5, reserved 0, available 12.5');
  expect(JSON.parse((await run('key', 'show', keyId ?? '', '--json')).printed)).toMatchObject({
    projectId,
    reference: 'k-1',
    name: 'server',
    models: ['flash-3.8', 'flash-lite-3.5'],
    cap: { amountMicros: '5000000', window: 'day' },
    limits: { requestsPerMinute: 60 },
  });
  expect((await run('audit')).code).toBe(0);
});

test('a dry run writes nothing and counts what would be made', async () => {
  await run('init');
  const file = write('rows.csv', rows);
  const dry = await run('import', file, '--from', 'rows', '--dry-run');
  expect(dry).toEqual({
    code: 0,
    printed: '',
    complained: `${penniless('other', otherId)}a dry run, nothing was written: 2 accounts (0 were there), 2 keys (0 were there), 1 deposits of 12.500000 credits (0 were there)`,
  });
  expect((await run('accounts', '--json')).printed).toBe('[]');
});

test('a file with a fault writes nothing, and every fault names its line and field', async () => {
  await run('init');
  const head = 'account,account_name,balance,key,models,expires,cap,requests_per_minute';
  const faulty = [
    head,
    'fine,,1,,,,,',
    ',,1,,,,,',
    'a,,-1,,,,,',
    'a,,1.1234567,,,,,',
    'a,,,k,flash-9,,,',
    'a,,,k,,soon,,',
    'a,,,k,,,5/year,',
    'a,,,k,,,,0',
    'a,,,,,,5/day,',
    'b,B,,k,,,,',
    'b,C,,k,,,,',
    'c,,,k,,,,',
    'c,,,k,,,,',
  ].join('\n');
  const { code, printed, complained } = await run('import', write('rows.csv', faulty), '--from', 'rows');
  expect({ code, printed }).toEqual({ code: 1, printed: '' });
  expect(complained.split('\n').map((line) => line.slice(0, 62))).toEqual([
    'refused: line 3: account is missing; accepted is the id of the',
    "refused: line 4: balance is '-1'; accepted are credits from 0,",
    "refused: line 5: balance is '1.1234567'; accepted are credits ",
    "refused: line 6: models has 'flash-9', which is no model of th",
    "refused: line 7: expires is 'soon'; accepted is a time such as",
    'refused: line 8: cap has the window year; accepted are hour, d',
    "refused: line 9: requests_per_minute is '0'; accepted is a who",
    'refused: line 10: cap stands in a row without a key',
    'refused: line 12: account_name is C, and an earlier row of the',
    'refused: line 14: key is that of line 13',
    'nothing was written',
  ]);
  expect((await run('accounts', '--json')).printed).toBe('[]');
});

test('what the administration alone can refuse is named by its line and field, and the other rows are imported', async () => {
  await run('init');
  const file = write('rows.csv', 'account,key,expires,cap\na,k-1,2020-01-01,\na,k-2,,5/day@Nowhere/City\na,k-3,,\n');
  const { code, printed, complained } = await run('import', file, '--from', 'rows');
  expect(code).toBe(1);
  expect(keysOf(printed).map((line) => line.split(',')[3])).toEqual(['k-3']);
  expect(complained).toContain(
    'refused: line 2: expires is 2020-01-01T00:00:00.000Z, which is past; accepted is a time in the future\n',
  );
  expect(complained).toContain('refused: line 3: cap ');
});

test('a balance that changed since the first import is refused and named, as its reference stands for the first', async () => {
  await run('init');
  const words = ['--from', 'rows'] as const;
  await run('import', write('rows.json', '[{"account":"a","balance":1}]'), ...words);
  const changed = await run('import', write('rows.json', '[{"account":"a","balance":2}]'), ...words);
  expect(changed.code).toBe(1);
  expect(changed.complained).toContain('refused: rows[0]: balance is not that of the first import of a,');
  expect(changed.complained).toMatch(/'tollgate compensate --account [\w-]{36} --give CREDITS' or '--take CREDITS'$/m);
  const other = await run('import', write('rows.json', '[{"account":"a","balance":2}]'), ...words, '--source', 'b');
  expect(other.complained).toContain('1 accounts (0 were there)');
});

const exported = {
  litellm: {
    keys: [
      {
        token: 'a'.repeat(64),
        key_alias: 'server',
        team_id: 't-1',
        models: ['gpt-x'],
        spend: 1.2500000001,
        max_budget: 10,
        budget_duration: '30d',
        rpm_limit: 60,
        tpm_limit: null,
        metadata: { team: 'core' },
      },
      { token: 'b'.repeat(64), team_id: 't-1', models: ['all-team-models'], spend: 4, max_budget: 10 },
      { token: 'c'.repeat(64), team_id: 't-1', models: [], blocked: true },
    ],
    teams: [{ team_id: 't-1', team_alias: 'Core', max_budget: 100, spend: 25.5, budget_duration: null }],
  },
  openrouter: {
    data: [
      { hash: 'h-1', name: 'app', disabled: false, limit: 100, limit_remaining: 74.5, limit_reset: 'monthly' },
      { hash: 'h-2', name: 'once', disabled: false, limit: 10, limit_remaining: 2.5, limit_reset: null },
      { hash: 'h-3', name: 'old', disabled: true, limit: null },
    ],
  },
  portkey: {
    object: 'list',
    data: [
      {
        id: 'p-1',
        name: 'dev',
        workspace_id: 'ws-1',
        status: 'active',
        rate_limits: [{ type: 'requests', unit: 'rpm', value: 100 }],
        usage_limits: { credit_limit: 10, periodic_reset: 'monthly', alert_threshold: 8 },
      },
      { id: 'p-2', name: 'old', workspace_id: 'ws-1', status: 'exhausted' },
    ],
  },
} as const;

const capsOf = async (from: keyof typeof exported): Promise<readonly unknown[]> => {
  const file = write(`${from}.json`, JSON.stringify(exported[from]));
  const done = await run('import', file, '--from', from, '--map', 'gpt-x=flash-3.8', '--json');
  expect(done.code).toBe(0);
  const keys = linesOf(done.printed).filter(({ kind }) => kind === 'key');
  const shown = await Promise.all(keys.map(({ keyId }) => run('key', 'show', keyId ?? '', '--json')));
  return shown.map(({ printed }) => {
    const { reference, name, models, cap, limits } = JSON.parse(printed) as Record<string, unknown>;
    return { reference, name, models, cap, limits };
  });
};

test('an export of LiteLLM becomes keys with the hash of the old one as reference, and the balance of a prepaid team', async () => {
  await run('init');
  const cap = { timeZone: 'UTC' };
  expect(await capsOf('litellm')).toEqual([
    {
      reference: 'a'.repeat(64),
      name: 'server',
      models: ['flash-3.8'],
      cap: { ...cap, amountMicros: '10000000', window: 'month' },
      limits: { requestsPerMinute: 60 },
    },
    {
      reference: 'b'.repeat(64),
      name: '',
      models: null,
      cap: { ...cap, amountMicros: '6000000', window: 'total' },
      limits: null,
    },
  ]);
  expect((await run('accounts')).printed).toContain('Core');
});

test('exports of OpenRouter and Portkey become keys with caps, and keys that open nothing are skipped by name', async () => {
  await run('init');
  expect(await capsOf('openrouter')).toMatchObject([
    { reference: 'h-1', cap: { amountMicros: '100000000', window: 'month' } },
    { reference: 'h-2', cap: { amountMicros: '2500000', window: 'total' } },
  ]);
  expect(await capsOf('portkey')).toMatchObject([
    { reference: 'p-1', cap: { amountMicros: '10000000', window: 'month' }, limits: { requestsPerMinute: 100 } },
  ]);
  const again = await run('import', path.join(folder, 'portkey.json'), '--from', 'portkey');
  expect(again.complained).toContain('skipped: data[1] (old): exhausted');
});

test('what bounds a key there and has no place here is named, and stops the import unless it may be left out', async () => {
  await run('init');
  const keys = [{ token: 'a', team_id: 't', max_budget: 5, budget_duration: '90d', model_max_budget: { 'gpt-x': 1 } }];
  const file = write('keys.json', JSON.stringify(keys));
  const words = ['import', file, '--from', 'litellm'] as const;
  const stopped = await run(...words);
  expect(stopped).toEqual({
    code: 1,
    printed: '',
    complained: [
      'without a place here: keys[0]: model_max_budget',
      'without a place here: keys[0]: budget_duration 90d',
      'nothing was written; --leave-out imports the rest without these',
    ].join('\n'),
  });
  expect((await run(...words, '--leave-out')).code).toBe(0);
});

test('limits by model and of a shared budget are named, and a wildcard is refused until it is mapped', async () => {
  await run('init');
  const key = { token: 'a', key_alias: 'server', team_id: 't', models: ['azure/*', 'x'] };
  const bounds = { model_rpm_limit: { x: 1 }, model_tpm_limit: { x: 1 } };
  const exportedKey = { ...key, metadata: bounds, litellm_budget_table: { max_budget: 5 } };
  const file = write('keys.json', JSON.stringify([exportedKey]));
  const words = ['import', file, '--from', 'litellm', '--own-catalog'] as const;
  expect((await run(...words)).complained.split('\n')).toEqual([
    'without a place here: keys[0] (server): metadata.model_rpm_limit',
    'without a place here: keys[0] (server): metadata.model_tpm_limit',
    'without a place here: keys[0] (server): litellm_budget_table.max_budget',
    "refused: keys[0] (server): models has 'azure/*', a wildcard, which a key cannot have; --map 'azure/*=NAME,NAME' names the models.",
    'nothing was written',
  ]);
  const mapped = await run(...words, '--leave-out', '--map', 'azure/*=y,z,x', '--json');
  const keys = linesOf(mapped.printed);
  expect(JSON.parse((await run('key', 'show', keys[0]?.keyId ?? '', '--json')).printed)).toMatchObject({
    models: ['y', 'z', 'x'],
  });
});

test('a team gives its account limits and its keys models, and shuts them out where it is blocked', async () => {
  await run('init');
  const limits = { rpm_limit: 100, tpm_limit: 9_000, max_parallel_requests: 3 };
  const file = write(
    'teams.json',
    JSON.stringify({
      teams: [
        { team_id: 't', ...limits, models: ['x', 'azure/*'] },
        { team_id: 'shut', blocked: true },
      ],
      keys: [
        { token: 'own', team_id: 't', models: ['x', 'azure/small', 'other'] },
        { token: 'none', team_id: 't', models: ['other'] },
        { token: 'old', team_id: 'shut' },
        { token: 'spent', team_id: 't', models: ['x'], max_budget: 1, spend: 2 },
      ],
    }),
  );
  const done = await run('import', file, '--from', 'litellm', '--own-catalog', '--json');
  expect(done.complained.split('\n')).toEqual([
    'skipped: teams[1] (shut): blocked',
    'skipped: keys[1]: none of its models is one of its team',
    'skipped: keys[2]: its team is blocked',
    'skipped: keys[3]: exhausted',
    expect.stringMatching(/^without a balance, so that its calls get 402: t, account [\w-]{36}$/),
  ]);
  expect(JSON.parse((await run('accounts', '--json')).printed)).toMatchObject([
    { limits: { requestsPerMinute: 100, tokensPerMinute: 9_000, concurrentRequests: 3 } },
  ]);
  const keys = linesOf(done.printed);
  expect(JSON.parse((await run('key', 'show', keys[0]?.keyId ?? '', '--json')).printed)).toMatchObject({
    models: ['x', 'azure/small'],
  });
});

test('a fault of an export names the field as the export has it, and the key by its alias', async () => {
  const team = { team_id: 't', rpm_limit: 0 };
  const keys = [{ token: 'a', key_alias: 'x'.repeat(201), team_id: 't' }];
  const file = write('keys.json', JSON.stringify({ teams: [team], keys }));
  const { complained } = await run('import', file, '--from', 'litellm', '--dry-run');
  expect(complained).toContain("refused: teams[0] (t): rpm_limit is '0'; accepted is a whole number");
  expect(complained).toContain("xxx): key_alias is 'xxx");
});

test('a dry run needs no database, and every other import does', async () => {
  const file = write('rows.csv', rows);
  const dry = await run('import', file, '--from', 'rows', '--dry-run');
  expect(dry).toMatchObject({ code: 0, printed: '' });
  expect(dry.complained).toContain('nothing was written: 2 accounts (0 were there), 2 keys');
  expect(existsSync(path.join(folder, 'gateway.db'))).toBe(false);
  const out = path.join(folder, 'keys.csv');
  expect((await run('import', file, '--from', 'rows', '--keys', out)).complained).toContain('tollgate init makes');
  expect(existsSync(out)).toBe(false);
});

test('the texts of keys go to a new file that its owner alone reads, and a file that is there is never overwritten', async () => {
  await run('init');
  const file = write('rows.csv', rows);
  const out = path.join(folder, 'keys.csv');
  const words = ['import', file, '--from', 'rows', '--keys', out] as const;
  expect(await run(...words)).toMatchObject({ code: 0, printed: '' });
  const kept = readFileSync(out, 'utf8');
  expect(keysOf(kept)).toHaveLength(2);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const again = await run(...words);
  expect(again.code).toBe(2);
  expect(again.complained).toContain('--keys: ');
  expect(readFileSync(out, 'utf8')).toBe(kept);
});

test('an import without balances makes accounts by their names and no deposit, and a later one makes the deposits alone', async () => {
  await run('init');
  const words = ['import', write('rows.csv', rows), '--from', 'rows'] as const;
  const first = await run(...words, '--without-balances');
  expect(first.complained).toBe(
    'imported: 2 accounts (0 were there), 2 keys (0 were there), 0 deposits of 0.000000 credits (0 were there)',
  );
  expect((await run('accounts')).printed).toContain('Acme Ltd');
  expect((await run(...words)).complained).toContain('0 keys (2 were there), 1 deposits of 12.500000 credits');
});

test('a command line or a file that is not understood ends with exit code 2 and says what is', async () => {
  await run('init');
  const file = write('x.json', '{}');
  expect((await run('import', file)).complained).toContain('--from is needed');
  expect((await run('import', '--from', 'rows')).complained).toContain('import takes a file');
  expect((await run('import', file, '--from', 'litelm')).complained).toContain('the nearest is litellm');
  expect((await run('import', file, '--from', 'portkey')).complained).toContain('is not the list of keys that portkey');
  expect((await run('import', path.join(folder, 'none'), '--from', 'rows')).code).toBe(2);
  expect((await run('import', file, '--from', 'rows', '--map', 'x')).complained).toContain('--map has x');
});

test('ids follow from the source and the old id alone', async () => {
  const { importedId } = await import('./plan-import.ts');
  const id = importedId('litellm', 'account', ['t-1']);
  const hash = createHash('sha256').update('["import","litellm","account","t-1"]').digest('hex');
  expect(id.slice(0, 8)).toBe(hash.slice(0, 8));
  expect(id).not.toBe(importedId('other', 'account', ['t-1']));
});
