import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runIn } from '../../../test/run-in.ts';
import { runCommandLine } from '../run-command-line.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-import-output-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: readonly string[]) => runIn({ TOLLGATE_DB: path.join(folder, 'gateway.db') }, ...words);

const write = (name: string, content: string | Uint8Array): string => {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
};

const importing = (name: string, content: string | Uint8Array, ...options: readonly string[]) =>
  run('import', write(name, content), '--from', 'rows', ...options);

const fiveKeys = `account,key\n${Array.from({ length: 5 }, (_, at) => `a-${at},k-${at}\n`).join('')}`;

test('each key of --json is printed before the next one is made, and a reader that leaves stops the import', async () => {
  await run('init');
  const printed: string[] = [];
  const complained: string[] = [];
  const db = path.join(folder, 'gateway.db');
  const code = await runCommandLine(['import', write('rows.csv', fiveKeys), '--from', 'rows', '--json', '--db', db], {
    print: (text) => printed.push(text),
    complain: (text) => complained.push(text),
    environment: {},
    exit: () => {},
    isUnread: () => printed.length === 2,
  });
  expect(code).toBe(1);
  expect(complained.join()).toContain('the reader of standard output is gone');
  expect(printed.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { kind: 'key', reference: 'k-0' },
    { kind: 'key', reference: 'k-1' },
  ]);
  const rest = await run('import', path.join(folder, 'rows.csv'), '--from', 'rows', '--json');
  const lines = rest.printed.split('\n').map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(lines.filter(({ kind, key }) => kind === 'key' && key === null)).toHaveLength(2);
  expect(lines.at(-1)).toMatchObject({ kind: 'report', keysMade: 3, keysKept: 2, depositedMicros: '0' });
});

test('a cell that a spreadsheet would run is printed as a text', async () => {
  await run('init');
  const { printed } = await importing('rows.csv', `account,key\n=cmd|' /C calc'!A0,=1+1\n`);
  expect(printed.split('\n')[1]).toMatch(/^'=cmd\|' \/C calc'!A0,.*,'=1\+1,/);
});

test('a file of --keys that is there leaves no empty file of --out behind', async () => {
  await run('init');
  const [keys, out] = [write('keys.csv', 'kept'), path.join(folder, 'imported.jsonl')];
  const rows = `account,key\na,${'b'.repeat(64)}\n`;
  const refused = await importing('rows.csv', rows, '--out', out, '--keys', keys);
  expect(refused).toMatchObject({ code: 2, printed: '' });
  expect(refused.complained).toContain('--keys: ');
  expect(existsSync(out)).toBe(false);
  expect((await importing('rows.csv', rows, '--out', out, '--keys', path.join(folder, 'new.csv'))).code).toBe(0);
});

const files: readonly (readonly [string, string | Uint8Array, string])[] = [
  ['a.csv', 'account,balance,balance\na,1,1000\n', 'a.csv, line 1: the header names balance twice'],
  ['a.csv', Buffer.from('account,balance\na,1\nb\xff,5\n', 'latin1'), 'a.csv, line 3: is not UTF-8'],
  ['a.csv', Buffer.from('\uFEFFaccount\na\n', 'utf16le'), 'a.csv, line 1: is not UTF-8'],
  ['a.json', `[\n{"account":${'['.repeat(200_000)}${']'.repeat(200_000)}}]`, 'a.json, line 2: has more than 100'],
];

test('a file whose meaning is not certain is refused at its place', async () => {
  await run('init');
  for (const [name, content, fault] of files) {
    const refused = await importing(name, content);
    expect(refused).toMatchObject({ code: 2, printed: '' });
    expect(refused.complained).toContain(fault);
  }
  const brackets = '['.repeat(150);
  expect((await importing('a.json', JSON.stringify([{ account: `"${brackets}\\` }]), '--dry-run')).code).toBe(0);
});

test('ids that are not printed as they are, or are keys in clear, are refused, and no key is shown', async () => {
  await run('init');
  const rows = [
    { account: 'a\u001B[31m' },
    { account: 'a\nb' },
    { account: 'a', project: 'p\u202E' },
    { account: ' a' },
    { account: 'a', key: 'k\u00A0' },
    { account: 'a', key: '\uD800' },
    { account: 'a', key: 'sk-secret-1' },
    { account: 'a', key: `AIza${'S'.repeat(35)}` },
  ];
  const { code, printed, complained } = await importing('a.json', JSON.stringify(rows));
  expect({ code, printed }).toEqual({ code: 1, printed: '' });
  expect(complained.split('\n').map((line) => line.slice(0, 49))).toEqual([
    'refused: rows[0]: account has a control character',
    'refused: rows[1]: account has a control character',
    'refused: rows[2]: project has a control character',
    'refused: rows[3]: account begins or ends with a b',
    'refused: rows[4]: key begins or ends with a blank',
    'refused: rows[5]: key has a control character; ac',
    'refused: rows[6]: key looks like a key in clear, ',
    'refused: rows[7]: key looks like a key in clear, ',
    'nothing was written',
  ]);
  expect(complained).not.toMatch(/secret-1|AIzaS/);
});

test('an id that is a number is exact, and one that JSON rounds is refused', async () => {
  await run('init');
  // Two accounts, which JSON reads as one number.
  const rounded =
    '[{"account":9007199254740992},{"account":9007199254740993},{"account":1.5},{"account":"a","key":1e400}]';
  const refused = await importing('a.json', rounded);
  expect(refused).toMatchObject({ code: 1, printed: '' });
  expect(
    refused.complained.match(/^refused: rows\[\d\]: (?:account|key) is a number that JSON does not/gm),
  ).toHaveLength(4);
  expect((await importing('a.json', '[{"account":9007199254740991}]', '--dry-run')).code).toBe(0);
});

test('names that every object has are no sources, actions or commands', async () => {
  await run('init');
  const file = write('a.json', '{"rows":[],"skipped":[],"leftOut":[]}');
  expect(await run('import', file, '--from', 'constructor')).toMatchObject({ code: 2 });
  for (const words of [['prices', 'constructor', file], ['key', 'constructor'], ['constructor']]) {
    const refused = await run(...words);
    expect(refused).toMatchObject({ code: 2, printed: '' });
    expect(refused.complained).toContain('constructor');
  }
});
