// npm run check:examples [-- NAME...]: each example is copied out of the checkout, gets the packages as they would be published, and
// must compile and pass its check there.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { installTarballs } from './install-tarballs.ts';
import { packPackages, root } from './pack-packages.ts';

const commandMsMax = 300_000;
const examples = path.join(root, 'examples');
const Names = z.record(z.string(), z.string());
const Manifest = z.object({ dependencies: Names, devDependencies: Names });

const named = process.argv.slice(2);
const all = readdirSync(examples, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const unknown = named.find((name) => !all.includes(name));
if (unknown !== undefined) throw new Error(`${unknown} is no example; there are ${all.join(', ')}`);
const wanted = named.length > 0 ? named : all;

/** What examples need of others, as `name@range`. They share one installation; knip requires that each declares what it imports. */
const needsOf = (names: readonly string[]): readonly string[] => {
  const manifests = names.map((name) =>
    Manifest.parse(JSON.parse(readFileSync(path.join(examples, name, 'package.json'), 'utf8'))),
  );
  const ranges = manifests.flatMap((one) => Object.entries({ ...one.dependencies, ...one.devDependencies }));
  const others = ranges.filter(([name]) => name !== 'tollgate' && !name.startsWith('@tollgate/'));
  return [...new Set(others.map(([name, range]) => `${name}@${range}`))];
};

const passes = (cwd: string, script: string): boolean =>
  spawnSync('npm', ['run', '--silent', script], { cwd, stdio: 'inherit', timeout: commandMsMax }).status === 0;

const failed: string[] = [];
const home = mkdtempSync(path.join(tmpdir(), 'tollgate-examples-'));
try {
  const packed = await packPackages(home);
  const directory = path.join(home, 'copies');
  mkdirSync(directory);
  installTarballs(directory, [...packed.map(({ tarball }) => tarball), ...needsOf(wanted)]);
  for (const name of wanted) {
    const startedAtMs = Date.now();
    const folder = path.join(directory, name);
    cpSync(path.join(examples, name), folder, {
      recursive: true,
      filter: (source) => !/\/(?:node_modules|tollgate-data)$/u.test(source),
    });
    const isOk = ['typecheck', 'check'].every((script) => passes(folder, script));
    if (!isOk) failed.push(name);
    console.log(`copied out ${name}: ${isOk ? 'ok' : 'FAILED'}, ${((Date.now() - startedAtMs) / 1_000).toFixed(1)} s`);
  }
  if (failed.length > 0) throw new Error(`copied out, these examples fail: ${failed.join(', ')}`);
  console.log(`examples: ok, ${wanted.length} copied out`);
} finally {
  rmSync(home, { recursive: true });
}
