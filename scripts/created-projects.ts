// Creates projects with `create-tollgate` and tries each as its owner would: types, its own test, its start and its end.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { choiceValues, type ChoiceName, type Choices } from '../packages/create-tollgate/src/choices.ts';
import { versions } from '../packages/create-tollgate/src/versions.ts';
import { startKeeper } from '../test/postgres-server.ts';
import { installTarballs } from './install-tarballs.ts';
import type { PackedPackage } from './pack-packages.ts';

const run = promisify(execFile);
const commandMsMax = 180_000;
const startMsMax = 60_000;
const projectsAtOnceMax = 2;
/** No PostgreSQL of a test outlives its run, so that nothing need reach the disk. */
const postgresSettings = ['fsync=off', 'full_page_writes=off', 'tollgate.allow_unsafe_server=on'];

type Row = readonly [Choices['host'], Choices['storage'], Choices['provider'], Choices['payments']];

/** Every storage with every provider and every host, and every host with every way to pay. Those of Next come first: they take longest. */
const rows: readonly Row[] = [
  ['next', 'sqlite', 'routed', 'none'],
  ['next', 'postgres', 'sandbox', 'stripe'],
  ['node', 'sqlite', 'sandbox', 'none'],
  ['node', 'postgres', 'openai-compatible', 'stripe'],
  ['node', 'memory', 'google', 'none'],
  ['node', 'memory', 'routed', 'none'],
  ['hono', 'sqlite', 'openai-compatible', 'stripe'],
  ['hono', 'postgres', 'anthropic', 'none'],
  ['hono', 'memory', 'sandbox', 'none'],
  ['express', 'sqlite', 'anthropic', 'none'],
  ['express', 'postgres', 'google', 'stripe'],
  ['express', 'memory', 'openai-compatible', 'none'],
  ['fastify', 'sqlite', 'google', 'stripe'],
  ['fastify', 'postgres', 'routed', 'none'],
  ['fastify', 'memory', 'anthropic', 'none'],
];

const choicesOf = ([host, storage, provider, payments]: Row): Choices => ({ host, storage, provider, payments });

/** Pairs that the rows above must have. Memory fits neither Next nor payments. */
const checkCover = (): void => {
  const pairs: readonly (readonly [ChoiceName, ChoiceName])[] = [
    ['storage', 'provider'],
    ['host', 'payments'],
    ['host', 'storage'],
  ];
  for (const [left, right] of pairs)
    for (const one of choiceValues[left])
      for (const other of choiceValues[right]) {
        const isCovered = rows.map(choicesOf).some((choices) => choices[left] === one && choices[right] === other);
        if (!isCovered && !(one === 'next' && other === 'memory'))
          throw new Error(`no project is created with ${left} ${one} and ${right} ${other}`);
      }
};

const textOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/u.test(entry.name) && !/node_modules|\.next/u.test(entry.parentPath))
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');

const Names = z.record(z.string(), z.string());
const Declared = z.object({ dependencies: Names, devDependencies: Names });

/** All projects share one installation, so that a package which one of them does not declare would be found all the same. */
const checkDeclared = (folder: string): void => {
  const manifest = Declared.parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')));
  const declared = new Set(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }));
  for (const [, name = ''] of textOf(folder).matchAll(/ from '(?!node:|\.)((?:@[^/']+\/)?[^/']+)/gu))
    if (!declared.has(name)) throw new Error(`${folder} imports ${name}, which its package.json does not have`);
};

/** Starts the server as `npm start` does, waits until it listens, and ends it by a signal. */
const startAndStop = async (folder: string, environment: NodeJS.ProcessEnv): Promise<void> => {
  const isNext = readdirSync(folder).includes('next.env');
  // All projects share the installation of the folder above.
  const program = isNext ? ['--env-file=next.env', '../node_modules/next/dist/bin/next', 'start'] : ['src/main.ts'];
  const server = spawn(process.execPath, ['--env-file-if-exists=.env', ...program], {
    cwd: folder,
    env: { ...environment, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: startMsMax,
  });
  const exited = once(server, 'exit');
  let printed = '';
  let isListening = false;
  for await (const chunk of server.stdout) {
    printed += String(chunk);
    const [, origin] = /(?:listening on|Local:) +(http:\S+?),?\s/u.exec(printed) ?? [];
    if (origin === undefined || isListening || !printed.includes(isNext ? 'Ready' : 'listening')) continue;
    isListening = true;
    // Next opens the gateway before its first response. It ends with 143 where it takes the signal itself.
    await fetch(`${origin}/healthz`);
    server.kill('SIGTERM');
  }
  await exited;
  const code = server.exitCode;
  if (code !== 0 || !isListening) throw new Error(`npm start ended with ${code}: ${printed}`);
};

interface Lab {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
}

const nameOf = (row: Row): string => row.join('-');

const tryProject = async ({ directory, environment }: Lab, row: Row): Promise<void> => {
  const [host, storage, provider, payments] = row;
  const folder = path.join(directory, nameOf(row));
  const options = ['--host', host, '--storage', storage, '--provider', provider, '--payments', payments];
  const command = async (cwd: string, file: string, ...args: readonly string[]): Promise<void> =>
    void (await run(file, args, { cwd, env: environment, timeout: commandMsMax }));
  await command(directory, 'npx', '--no-install', 'create-tollgate', nameOf(row), ...options);
  checkDeclared(folder);
  if (host === 'next') {
    await command(folder, 'npm', 'run', 'build');
    if (readdirSync(folder).includes('tollgate-data')) throw new Error('next build opened a database');
  }
  await command(folder, 'npm', 'run', 'typecheck');
  await command(folder, 'npm', 'test');
  // A project whose keys are still to be filled in says so instead.
  if (provider === 'sandbox') await startAndStop(folder, environment);
};

const told = (cause: unknown): string =>
  cause instanceof Error && 'stdout' in cause ? `${cause.message}\n${String(cause.stdout)}` : String(cause);

/** Tries the projects, some at once. Returns what went wrong. */
const tryAll = async (lab: Lab): Promise<readonly string[]> => {
  const waiting = rows.values();
  const faults: string[] = [];
  // The runners share one iterator, so each project is tried by the next free one.
  const runner = async (): Promise<void> => {
    for (const row of waiting) {
      const startedAtMs = Date.now();
      await tryProject(lab, row).catch((cause: unknown) => faults.push(`${nameOf(row)}: ${told(cause)}`));
      console.log(`created ${nameOf(row)}: ${((Date.now() - startedAtMs) / 1_000).toFixed(1)} s`);
    }
  };
  await Promise.all(Array.from({ length: projectsAtOnceMax }, runner));
  return faults;
};

/** Creates and tries all projects below `home`, over the packed packages. Throws where one of them fails. */
export const checkCreatedProjects = async (home: string, packed: readonly PackedPackage[]): Promise<void> => {
  checkCover();
  const directory = path.join(home, 'created');
  mkdirSync(directory, { recursive: true });
  const others = Object.entries(versions).map(([name, range]) => `${name}@${range}`);
  installTarballs(directory, [...packed.map(({ tarball }) => tarball), ...others]);
  const keeper = await startKeeper(postgresSettings);
  try {
    const { url } = await keeper.server();
    const faults = await tryAll({
      directory,
      environment: { ...process.env, DATABASE_URL: url, NEXT_TELEMETRY_DISABLED: '1' },
    });
    if (faults.length > 0) throw new Error(`created projects failed:\n${faults.join('\n')}`);
  } finally {
    await keeper.stop();
  }
  console.log(`created: ok, ${rows.length} projects`);
};
