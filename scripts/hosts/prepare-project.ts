import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { packPackages, root } from '../pack-packages.ts';

const installMsMax = 300_000;

/** A project that has the packed packages, the servers and runtimes, and the programs of the guides. */
export const prepareProject = async (folder: string): Promise<void> => {
  for (const name of ['package.json', 'package-lock.json'])
    cpSync(path.join(root, 'scripts/hosts', name), path.join(folder, name));
  for (const from of ['docs/snippets/hosts', 'scripts/hosts/inside'])
    cpSync(path.join(root, from), folder, { recursive: true });
  cpSync(path.join(root, 'docs/snippets/gateway-suite.ts'), path.join(folder, 'gateway-suite.ts'));
  const packed = path.join(folder, 'packed');
  mkdirSync(packed);
  const tarballs = (await packPackages(packed)).map(({ tarball }) => tarball);
  const install = ['install', '--no-save', '--silent', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs];
  execFileSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: installMsMax });
  // As in a project of its own, whose root is the application.
  symlinkSync(path.join(folder, 'node_modules'), path.join(folder, 'next/node_modules'));
};
