// npm run examples [-- NAME...]: the checks of the examples. npm run example NAME: starts one. Both use the sources of the packages,
// without a build; what an example's own package.json runs uses the packages as they are installed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const home = path.resolve(import.meta.dirname, '../examples');
const Manifest = z.object({ scripts: z.record(z.string(), z.string()) });

const all = readdirSync(home, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Runs a script of an example, which is one program of Node, and returns its exit code. */
const runScript = async (example: string, script: string): Promise<number> => {
  const folder = path.join(home, example);
  const { scripts } = Manifest.parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')));
  const [, program] = /^node (\S+)$/u.exec(scripts[script] ?? '') ?? [];
  if (program === undefined) throw new Error(`examples/${example} has no program for its script ${script}`);
  console.log(`\n> examples/${example}: ${script}`);
  const child = spawn(process.execPath, ['--conditions=@tollgate/source', program], { cwd: folder, stdio: 'inherit' });
  await once(child, 'exit');
  return child.exitCode ?? 1;
};

const [script = 'check', ...names] = process.argv.slice(2);
const unknown = names.find((name) => !all.includes(name));
if (unknown !== undefined || (script === 'start' && names.length !== 1)) {
  console.error(
    `${unknown === undefined ? 'name one example' : `${unknown} is no example`}; there are ${all.join(', ')}`,
  );
  process.exit(2);
}
for (const name of names.length > 0 ? names : all)
  if ((await runScript(name, script)) !== 0) {
    console.error(`examples/${name} failed`);
    process.exitCode = 1;
  }
