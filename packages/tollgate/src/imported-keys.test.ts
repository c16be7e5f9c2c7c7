import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { referredKeyId } from '@tollgate/engine/decisions';
import type { CallerQuestion } from '@tollgate/routes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runIn } from '../test/run-in.ts';
import { importedKeyLine } from './imported-key-lines.ts';
import { importedKeys } from './imported-keys.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-imported-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const write = (name: string, text: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

const run = (...words: readonly string[]) => runIn({ TOLLGATE_DB: path.join(folder, 'gateway.db') }, ...words);

/** Imports keys of LiteLLM; returns the file of `--out`. */
const imported = async (keys: readonly object[]): Promise<string> => {
  await run('init');
  const out = path.join(folder, 'imported.jsonl');
  const done = await run('import', write('keys.json', JSON.stringify(keys)), '--from', 'litellm', '--out', out);
  expect(done.code).toBe(0);
  return out;
};

const asks = (headers: Readonly<Record<string, string>>): CallerQuestion => ({
  requestId: 'r',
  method: 'POST',
  path: '/',
  query: '',
  headers: new Headers(headers),
  raw: null,
  signal: AbortSignal.timeout(60_000),
});

test('an old key is recognised by the file of the import, wherever a client puts it', async () => {
  const out = await imported([{ token: sha256('sk-old'), team_id: 't-1' }]);
  const { projectId, keyId } = JSON.parse(readFileSync(out, 'utf8')) as Record<string, string>;
  const authenticate = importedKeys(out);
  expect(authenticate(asks({ authorization: 'Bearer sk-old' }))).toEqual({ projectId, keyId });
  expect(authenticate(asks({ 'x-api-key': 'sk-old' }))).toEqual({ projectId, keyId });
  expect(authenticate(asks({ 'x-goog-api-key': 'sk-old' }))).toEqual({ projectId, keyId });
  expect(authenticate(asks({ authorization: 'Bearer sk-other' }))).toBeNull();
  expect(authenticate(asks({}))).toBeNull();
});

test('an id of the old gateway that holds commas, quotes and fields of a line names its own customer alone', async () => {
  const victim = await imported([{ token: sha256('sk-victim'), team_id: 'victim' }]);
  const { projectId, keyId } = JSON.parse(readFileSync(victim, 'utf8')) as Record<string, string>;
  rmSync(victim);
  const evil = `x","y,${projectId},${sha256('chosen')},${keyId},z`;
  const out = await imported([
    { token: sha256('sk-victim'), team_id: 'victim' },
    { token: sha256('sk-evil'), user_id: evil },
  ]);
  const authenticate = importedKeys(out);
  expect(authenticate(asks({ authorization: 'Bearer chosen' }))).toBeNull();
  expect(authenticate(asks({ authorization: 'Bearer sk-evil' }))).not.toMatchObject({ projectId });
  expect(authenticate(asks({ authorization: 'Bearer sk-victim' }))).toEqual({ projectId, keyId });
});

test('the file of an import is for its owner alone, holds no text of a key, and is never overwritten', async () => {
  const out = await imported([{ token: sha256('sk-old'), team_id: 't-1' }]);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const text = readFileSync(out, 'utf8');
  expect(text).not.toContain('tg_');
  const again = await run('import', path.join(folder, 'keys.json'), '--from', 'litellm', '--out', out);
  expect(again).toMatchObject({ code: 2, printed: '' });
  expect(again.complained).toContain('--out');
  expect(readFileSync(out, 'utf8')).toBe(text);
});

test('a key whose old id is no hash is refused for the file before anything is written', async () => {
  await run('init');
  const out = path.join(folder, 'imported.jsonl');
  const refused = await run('import', write('rows.csv', 'account,key\na,k-1\n'), '--from', 'rows', '--out', out);
  expect(refused).toMatchObject({ code: 1, printed: '' });
  expect(refused.complained).toContain("line 2: --out takes the SHA-256 of a key, and key is 'k-1'");
  expect((await run('accounts', '--json')).printed).toBe('[]');
});

/** What is said of a file with a text; empty where it is taken. */
const faultsOf = (text: string): string => {
  try {
    importedKeys(write('odd.jsonl', text));
    return '';
  } catch (cause) {
    return String(cause);
  }
};

test('every line that an import would not have written is a fault of its own', async () => {
  const out = await imported([{ token: sha256('sk-old'), team_id: 't-1' }]);
  const line = JSON.parse(readFileSync(out, 'utf8')) as Parameters<typeof importedKeyLine>[0];
  const other = '11111111-2222-4333-8444-555555555555';
  const upper = line.reference.toUpperCase();
  const odd = [
    '',
    'account,account_id',
    '{"account":"a"}',
    JSON.stringify({ ...line, key: 'more' }),
    importedKeyLine({ ...line, projectId: 'p' }),
    importedKeyLine({ ...line, reference: upper, keyId: referredKeyId(line.projectId, upper) }),
    importedKeyLine({ ...line, keyId: other }),
    importedKeyLine({ ...line, projectId: other }),
  ];
  const said = faultsOf(`${odd.join('\n')}\n`);
  for (const at of odd.keys()) expect(said).toContain(`odd.jsonl, line ${at + 1}: `);
  expect(faultsOf(importedKeyLine(line))).toContain('line 1: has no end');
  expect(faultsOf(`${importedKeyLine(line)}\n`)).toBe('');
  expect(() => importedKeys(path.join(folder, 'none'))).toThrow('cannot be read');
  expect(() => importedKeys()).toThrow('files are missing');
});
