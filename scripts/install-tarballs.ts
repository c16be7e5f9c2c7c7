import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const installMsMax = 240_000;

/** Makes a project in a folder and installs packed packages there, with what they depend on. */
export const installTarballs = (directory: string, tarballs: readonly string[]): void => {
  mkdirSync(directory, { recursive: true });
  const manifest = { name: 'consumer', private: true, type: 'module' };
  writeFileSync(path.join(directory, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: installMsMax,
  });
};
