import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** Runs a program in a process of its own, from the sources, and returns what it printed as JSON. */
const printed = (program: string): unknown => {
  const flags = ['--conditions=@tollgate/source', '--input-type=module', '--eval', program];
  const { status, stdout, stderr } = spawnSync(process.execPath, flags, { cwd: root, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout);
};

test('neither the package nor its first upstream connection loads a client of HTTP or a validator of schemas that no call uses', () => {
  const loaded = printed(`
    const { createRequire, registerHooks } = process.getBuiltinModule('node:module');
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { openaiProvider, sqliteStorage, serve } = await import('tollgate');
    const { createConnectionPool } = await import('@tollgate/provider-http');
    const pool = await createConnectionPool('http://127.0.0.1:9');
    await pool.close();
    const files = Object.keys(createRequire(import.meta.url).cache ?? {});
    console.log(JSON.stringify({
      nodes: process.moduleLoadList.filter((name) => name.includes('deps/undici/undici')),
      validator: loaded.filter((url) => url.includes('@cfworker/json-schema')),
      fetch: files.filter((file) => file.includes('undici/lib/web/fetch/index')),
      pool: files.filter((file) => file.endsWith('undici/lib/dispatcher/pool.js')).length,
      own: loaded.some((url) => url.endsWith('routes/src/create-handler.ts')),
    }));
  `);
  expect(loaded).toEqual({ nodes: [], validator: [], fetch: [], pool: 1, own: true });
});
