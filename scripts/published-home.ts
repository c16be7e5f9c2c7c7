// Where the packages say they live. No address was known when they were written, so that they have one that leads nowhere: `release`
// refuses it, and `set` replaces it everywhere.
//   node scripts/published-home.ts check
//   node scripts/published-home.ts set REPOSITORY SITE     https://host/owner/name and https://host
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { root } from './pack-packages.ts';

const Manifest = z.object({
  homepage: z.string(),
  bugs: z.string(),
  repository: z.object({ url: z.string() }),
});

const { homepage, bugs, repository } = Manifest.parse(
  JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')),
);

const check = (): void => {
  const nowhere = [homepage, bugs, repository.url].filter((address) => address.includes('.invalid'));
  if (nowhere.length === 0) return;
  console.error(
    `the packages name ${nowhere.join(', ')}, which lead nowhere: node scripts/published-home.ts set REPOSITORY SITE`,
  );
  process.exitCode = 1;
};

const addressOf = (text: string | undefined, name: string): string => {
  if (text === undefined || URL.parse(text)?.protocol !== 'https:')
    throw new Error(`${name} is ${text ?? 'missing'}; accepted is an https address, without a slash at its end`);
  return text.replace(/\/+$/u, '');
};

/** The longer address first, for the homepage may be the beginning of another one. */
const set = (repositoryAddress: string, site: string): void => {
  const changes = [
    [repository.url, `git+${repositoryAddress}.git`],
    [bugs, `${repositoryAddress}/issues`],
    [homepage, site],
  ] as const;
  const files = ['package.json', 'packages/*/package.json', 'packages/*/README.md'].flatMap((pattern) =>
    globSync(pattern, { cwd: root }),
  );
  for (const file of files) {
    const place = path.join(root, file);
    const text = readFileSync(place, 'utf8');
    const changed = changes.reduce((sofar, [from, to]) => sofar.replaceAll(from, to), text);
    if (changed !== text) writeFileSync(place, changed);
  }
};

const [command, repositoryAddress, site] = process.argv.slice(2);
if (command === 'set') set(addressOf(repositoryAddress, 'REPOSITORY'), addressOf(site, 'SITE'));
else check();
