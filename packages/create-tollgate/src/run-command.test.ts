import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Ask } from './ask-choices.ts';
import { runCommand } from './run-command.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'create-tollgate-'));
});
afterEach(() => rm(home, { recursive: true }));

const start = async (args: readonly string[], ask: Ask | null = null, environment: NodeJS.ProcessEnv = {}) => {
  const said: string[] = [];
  const exitCode = await runCommand(args, {
    print: (text) => said.push(text),
    complain: (text) => said.push(text),
    ask,
    environment: environment,
  });
  return { exitCode, said: said.join('\n') };
};

const folder = (): string => path.join(home, 'my-gateway');

test('creates a project by its defaults, and prints what to type next', async () => {
  const { exitCode, said } = await start([folder()]);
  expect(exitCode).toBe(0);
  expect(said).toContain('--host node --storage sqlite --provider sandbox --payments none');
  expect(said).toContain(`cd ${folder()}\nnpm install\nnpm test\nnpm run open-account -- Ada 10\nnpm start`);
  expect(said).toContain('see what it cost\nnpm run tollgate -- balance ACCOUNT');
  const manifest = JSON.parse(await readFile(path.join(folder(), 'package.json'), 'utf8')) as { name: string };
  expect(manifest.name).toBe('my-gateway');
  expect(await readdir(folder())).toEqual(expect.arrayContaining(['.env', '.gitignore', 'Dockerfile', 'src', 'test']));
});

test('names the commands of the package manager that ran it', async () => {
  const { said } = await start([folder(), '--storage', 'postgres'], null, {
    npm_config_user_agent: 'pnpm/10.1.0 npm/? node/v24.0.0',
  });
  expect(said).toContain('pnpm install\ndocker compose up -d --wait db\npnpm test\npnpm run open-account Ada 10');
  expect(said).toMatch(/pnpm run tollgate balance ACCOUNT$/);
});

test('writes a secret of its own for each project, which only its owner reads', async () => {
  const secrets = [];
  for (const name of ['one', 'two']) {
    await start([path.join(home, name)]);
    const file = path.join(home, name, '.env');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    secrets.push(/^TOLLGATE_CONTEXT_SECRET=([0-9a-f]{64})$/mu.exec(await readFile(file, 'utf8'))?.[1]);
    expect(await readFile(path.join(home, name, '.env.example'), 'utf8')).toMatch(/^TOLLGATE_CONTEXT_SECRET=$/mu);
  }
  expect(secrets[0]).toBeDefined();
  expect(secrets[0]).not.toBe(secrets[1]);
});

test('asks for what the options leave open, by number or by name', async () => {
  const questions: string[] = [];
  const answers = ['', '2', 'postgres', 'wrong', 'google'].values();
  const ask: Ask = async (question) => {
    questions.push(question);
    return answers.next().value ?? '';
  };
  const { said } = await start([folder(), '--payments', 'stripe'], async (question) =>
    question.startsWith('host') ? '2' : ask(question),
  );
  expect(said).toContain('--host hono --storage sqlite --provider openai-compatible --payments stripe');
  expect(questions).toHaveLength(2);
  expect(questions[1]).toContain('4  google: the Gemini API');
});

test('gives up after three answers that it does not know', async () => {
  const { exitCode, said } = await start([folder()], async () => 'koa');
  expect(exitCode).toBe(1);
  expect(said).toContain('no host was chosen; accepted are node, hono, express, fastify, next');
});

test('asks nothing with --yes', async () => {
  const asks: string[] = [];
  await start([folder(), '--yes'], async (question) => {
    asks.push(question);
    return '';
  });
  expect(asks).toEqual([]);
});

test.each([
  [['--hots', 'hono'], '--hots is not known; accepted are --host, --storage, --provider, --payments, --yes, --help'],
  [['--host', 'koa'], "--host is 'koa'; accepted are node, hono, express, fastify, next"],
  [['--host'], '--host is no value; accepted are node'],
  [['one', 'two'], 'one folder is accepted, and 2 came: one, two'],
  [['Mein Gateway'], "'Mein Gateway' cannot be the name of a package; accepted are small letters"],
  [['--storage', 'memory', '--host', 'next'], '--storage memory does not fit --host next'],
  [['--storage', 'memory', '--payments', 'stripe'], 'credits that were paid for would be lost'],
])('refuses %j, and says what is accepted', async (args, message) => {
  const { exitCode, said } = await start(args);
  expect(exitCode).toBe(1);
  expect(said).toContain(message);
});

test('refuses a folder that is not empty, and leaves it as it is', async () => {
  await mkdir(folder());
  await writeFile(path.join(folder(), 'notes.txt'), 'mine');
  const { exitCode, said } = await start([folder()]);
  expect(exitCode).toBe(1);
  expect(said).toContain('is not empty, it has notes.txt; name a folder that is empty or does not exist');
  expect(await readdir(folder())).toEqual(['notes.txt']);
});

test('refuses a folder that is not empty before it asks anything', async () => {
  await mkdir(folder());
  await writeFile(path.join(folder(), 'notes.txt'), 'mine');
  const questions: string[] = [];
  const { exitCode } = await start([folder()], async (question) => {
    questions.push(question);
    return '';
  });
  expect([exitCode, questions]).toEqual([1, []]);
});

test('says that npm took the options, where they came without -- before them', async () => {
  const npm = { npm_config_user_agent: 'npm/11.0.0 node/v24.0.0' };
  const asWords = await start(['m4', 'hono'], null, { ...npm, npm_config_host: 'true', npm_config_yes: 'true' });
  expect([asWords.exitCode, asWords.said]).toEqual([
    1,
    'create-tollgate: npm took these options for its own: --host …. Put -- before the options, as in npm create tollgate m4 -- --host …',
  ]);
  const silent = await start([folder()], null, { ...npm, npm_config_host: 'hono', npm_config_payments: 'stripe' });
  expect([silent.exitCode, silent.said]).toEqual([
    1,
    expect.stringContaining(`npm create tollgate ${folder()} -- --host hono --payments stripe`),
  ]);
  const given = await start([folder(), '--host=hono'], null, { ...npm, npm_config_host: 'hono' });
  expect(given).toMatchObject({ exitCode: 0, said: expect.stringContaining('--host hono') });
});

test('refuses a file in the place of the folder', async () => {
  const file = path.join(home, 'my-gateway');
  await writeFile(file, '');
  expect((await start([file])).said).toContain('is a file');
});

test('refuses a link to nothing in the place of the folder', async () => {
  const link = path.join(home, 'my-gateway');
  await symlink(path.join(home, 'nowhere'), link);
  expect((await start([link])).said).toContain('is a link to nothing');
});
