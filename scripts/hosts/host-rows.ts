import path from 'node:path';

/** One program of the guides: how it is started, and whether it is called as a gateway whose database lies on the disk. */
export interface HostRow {
  readonly name: string;
  readonly command: (folder: string) => readonly [file: string, ...args: readonly string[]];
  /** Where it runs, below the project. */
  readonly folder?: string;
  /** A route of the host's own that is still served. */
  readonly own: string;
  /** Run once before, and must not open a database. */
  readonly build?: HostRow['command'];
  readonly env?: Readonly<Record<string, string>>;
}

const inNode =
  (file: string): HostRow['command'] =>
  () => [process.execPath, file];

const inNode22 =
  (file: string): HostRow['command'] =>
  (folder) => [path.join(folder, 'node_modules/node22/bin/node'), file];

const next = 'node_modules/next/dist/bin/next';

/** Each guide under `docs/hosts`. */
export const hostRows: readonly HostRow[] = [
  { name: 'node:http', command: inNode('node-http.ts'), own: '/' },
  { name: 'node:http on Node 22', command: inNode22('node-http.ts'), own: '/' },
  { name: 'Express', command: inNode('express.ts'), own: '/health' },
  { name: 'Fastify', command: inNode('fastify.ts'), own: '/health' },
  { name: 'Hono', command: inNode('hono.ts'), own: '/health' },
  {
    name: 'NestJS',
    build: (folder) => [
      path.join(folder, 'node_modules/esbuild/bin/esbuild'),
      'nest/main.ts',
      'nest/app.module.ts',
      '--format=esm',
      '--outdir=nest/dist',
      '--log-level=error',
      '--tsconfig-raw={"compilerOptions":{"experimentalDecorators":true}}',
    ],
    command: inNode('nest/dist/main.js'),
    own: '/health',
  },
  { name: 'Bun', command: (folder) => [path.join(folder, 'node_modules/.bin/bun'), 'bun.ts'], own: '/health' },
  {
    name: 'Deno',
    command: (folder) => [path.join(folder, 'node_modules/.bin/deno'), 'run', '-A', 'deno.ts'],
    own: '/health',
  },
  {
    name: 'Next',
    folder: 'next',
    build: () => [process.execPath, next, 'build'],
    command: () => [process.execPath, next, 'start'],
    // Next leaves signals to the program.
    env: { NEXT_MANUAL_SIG_HANDLE: 'true' },
    own: '/',
  },
];
