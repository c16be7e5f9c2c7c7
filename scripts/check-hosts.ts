// Installs the packed packages beside servers and runtimes, starts each program of the guides under docs/hosts, calls it with a real
// client, stops it and audits its ledger. Then runs the core of the gateway suite in each runtime.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { callHost } from './hosts/call-host.ts';
import { startHost } from './hosts/host-process.ts';
import { hostRows, type HostRow } from './hosts/host-rows.ts';
import { prepareProject } from './hosts/prepare-project.ts';

const commandMsMax = 300_000;
/** Cases of the rules that every runtime must keep: access, credits, identity, streams, chats and deliveries. */
const core = String.raw`\[(?:auth|billing|chat|credits|embeddings|errors|generate|holds|idempotency|ledger|metering|stream|webhooks):`;
/** The same without webhooks: the gateway's own sender needs options of TLS sockets that workerd lacks. */
const coreOfWorkers = core.replace('|webhooks', '');

const run = (folder: string, ...[file, ...args]: readonly [file: string, ...args: readonly string[]]): string =>
  execFileSync(file, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: commandMsMax,
  });

/** A key of an account with ten credits, as the guides make one. */
const createKey = (project: string, folder: string): string => {
  const cli = path.join(project, 'node_modules/tollgate/dist/cli.js');
  const Created = z.object({ key: z.string(), accountId: z.string() });
  const { key, accountId } = Created.parse(JSON.parse(run(folder, process.execPath, cli, 'key', 'create', '--json')));
  run(folder, process.execPath, cli, 'deposit', '--account', accountId, '--credits', '10');
  return key;
};

const checkHost = async (project: string, row: HostRow): Promise<void> => {
  const folder = path.join(project, row.folder ?? '.');
  const data = path.join(folder, 'tollgate-data');
  rmSync(data, { recursive: true, force: true });
  if (row.build !== undefined) {
    run(folder, ...row.build(project));
    assert.ok(!existsSync(data), `${row.name}: the build opened a database`);
  }
  const host = await startHost({ command: row.command(project), folder, env: row.env ?? {} });
  try {
    await callHost(host.origin, createKey(project, folder));
    assert.equal((await fetch(`${host.origin}${row.own}`)).status, 200, `${row.name}: its own route`);
  } finally {
    assert.equal(await host.stop(), 0, `${row.name}: its end`);
  }
  run(folder, process.execPath, path.join(project, 'node_modules/tollgate/dist/cli.js'), 'audit');
  console.log(`${row.name}: called, stopped and audited`);
};

const bundle = (project: string, entry: string): void => {
  const banner = `import { createRequire } from 'node:module'; const require = createRequire('/');`;
  const out = `--outfile=${path.join(path.dirname(entry), 'worker.js')}`;
  const esbuild = path.join(project, 'node_modules/esbuild/bin/esbuild');
  const options = [
    '--bundle',
    '--format=esm',
    '--platform=node',
    '--target=es2024',
    '--external:cloudflare:*',
    '--log-level=error',
  ];
  run(project, esbuild, entry, ...options, out, `--banner:js=${banner}`);
};

const secrets = { CONTEXT_SECRET: 'a secret of the host with more than 32 characters', OPERATOR_TOKEN: 'operator' };

const startWorker = (project: string, folder: string) => {
  mkdirSync(path.join(folder, 'data'), { recursive: true });
  const workerd = path.join(project, 'node_modules/.bin/workerd');
  const command = [workerd, 'serve', 'config.capnp', '--socket-addr', 'http=127.0.0.1:$PORT'] as const;
  return startHost({ command, folder, env: secrets });
};

const openKey = async (origin: string): Promise<string> => {
  const headers = { authorization: `Bearer ${secrets.OPERATOR_TOKEN}` };
  const response = await fetch(`${origin}/first-key`, { method: 'POST', headers });
  return z.object({ key: z.string() }).parse(await response.json()).key;
};

const checkWorker = async (project: string): Promise<void> => {
  const folder = path.join(project, 'worker');
  bundle(project, 'worker/worker.ts');
  const first = await startWorker(project, folder);
  const key = await openKey(first.origin);
  await callHost(first.origin, key);
  await first.stop();
  // What is on the disk is there for another process.
  const second = await startWorker(project, folder);
  await callHost(second.origin, key);
  await second.stop();
  console.log('Workers: called, stopped, and called again');
};

const Report = z.object({ passed: z.array(z.string()), failed: z.array(z.string()) });

const runSuiteInWorker = async (project: string): Promise<void> => {
  bundle(project, 'worker-suite.ts');
  rmSync(path.join(project, 'worker/data'), { recursive: true, force: true });
  execFileSync('mv', [path.join(project, 'worker.js'), path.join(project, 'worker/worker.js')]);
  const host = await startWorker(project, path.join(project, 'worker'));
  const response = await fetch(`${host.origin}/?titles=${encodeURIComponent(coreOfWorkers)}`);
  const { passed, failed } = Report.parse(await response.json());
  await host.stop();
  for (const one of failed) console.error(one);
  assert.equal(failed.length, 0);
  console.log(`Workers: ${passed.length} cases of the gateway suite`);
};

const runSuites = (project: string): void => {
  for (const { name, command } of hostRows.filter(({ name: one }) =>
    /^(?:Bun|Deno|node:http on Node 22)$/u.test(one),
  )) {
    const [file, ...args] = command(project);
    const program = args.map((arg) => (arg.endsWith('.ts') ? 'runtime-suite.ts' : arg));
    console.log(`${name}: ${run(project, file, ...program, core).trim()} of the gateway suite`);
  }
};

const compile = (project: string): void => {
  const tsc = path.join(project, 'node_modules/typescript/bin/tsc');
  for (const name of ['node', 'bun', 'deno', 'worker'])
    run(project, process.execPath, tsc, '-p', `tsconfig.${name}.json`);
  console.log('the programs compile');
};

const checkAll = async (project: string): Promise<void> => {
  compile(project);
  for (const row of hostRows) await checkHost(project, row);
  await checkWorker(project);
  runSuites(project);
  await runSuiteInWorker(project);
};

// A folder that an earlier run kept (KEEP=1) is taken as it is.
const { KEEP: keeps } = process.env;
const [, , kept] = process.argv;
const project = kept ?? realpathSync(mkdtempSync(path.join(tmpdir(), 'tollgate-hosts-')));
try {
  if (kept === undefined) await prepareProject(project);
  await checkAll(project);
} finally {
  if (keeps === undefined) rmSync(project, { recursive: true });
  else console.log(project);
}
