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

test('neither the package nor its first upstream connection loads a client of HTTP that no call uses', () => {
  const loaded = printed(`
    const { openaiProvider, sqliteStorage, serve } = await import('tollgate');
    const { createConnectionPool } = await import('@tollgate/provider-http');
    const pool = await createConnectionPool('http://127.0.0.1:9');
    await pool.close();
    const { createRequire } = process.getBuiltinModule('node:module');
    const files = Object.keys(createRequire(import.meta.url).cache ?? {});
    console.log(JSON.stringify({
      nodes: process.moduleLoadList.filter((name) => name.includes('deps/undici/undici')),
      fetch: files.filter((file) => file.includes('undici/lib/web/fetch/index')),
      pool: files.filter((file) => file.endsWith('undici/lib/dispatcher/pool.js')).length,
    }));
  `);
  expect(loaded).toEqual({ nodes: [], fetch: [], pool: 1 });
});
