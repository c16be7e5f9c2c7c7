import { expect, test } from 'vitest';
import { choiceValues, conflictOf, type Choices } from './choices.ts';
import { renderProject } from './create-project.ts';
import { packageManifest } from './package-manifest.ts';

const everyProject = (): readonly Choices[] =>
  choiceValues.host
    .flatMap((host) =>
      choiceValues.storage.flatMap((storage) =>
        choiceValues.provider.flatMap((provider) =>
          choiceValues.payments.map((payments) => ({ host, storage, provider, payments })),
        ),
      ),
    )
    .filter((choices) => conflictOf(choices) === null);

const isCode = (file: string): boolean => file.endsWith('.ts');

/** The files that a file imports by a relative path, from the root of the project. */
const localImportsOf = (file: string, text: string): readonly string[] =>
  [...text.matchAll(/(?: from |import\()'(\.[^']+)'/gu)].map(([, target = '']) =>
    new URL(target, `file:///${file}`).pathname.slice(1),
  );

const importedPackages = (text: string): readonly string[] =>
  [...text.matchAll(/ from '(?!node:|\.)((?:@[^/']+\/)?[^/']+)/gu)].map(([, name = '']) => name);

test('every project is whole: no mark is left, each import leads somewhere, each package is declared and used', async () => {
  const projects = everyProject();
  expect(projects.length).toBe(120);
  for (const choices of projects) {
    const files = await renderProject('my-gateway', choices, 'x'.repeat(64));
    const label = Object.values(choices).join('-');
    const manifest = packageManifest('my-gateway', choices, '0.1.0') as Record<string, Record<string, string>>;
    const declared = Object.keys({ ...manifest['dependencies'], ...manifest['devDependencies'] });
    const used = new Set<string>();
    const led = new Set<string>();
    for (const [file, text] of files) {
      expect(text, `${label} ${file}`).not.toMatch(/#if|#endif|PROJECT_NAME|DOCUMENTATION|\n{3}/u);
      if (!isCode(file)) continue;
      for (const target of localImportsOf(encodeURI(file), text)) {
        led.add(decodeURI(target));
        expect(files.has(decodeURI(target)), `${label} ${file} imports ${target}`).toBe(true);
      }
      for (const name of importedPackages(text)) used.add(name);
    }
    expect(
      [...used].filter((name) => !declared.includes(name)),
      label,
    ).toEqual([]);
    const impliedByNext = ['react', 'react-dom', '@types/react'];
    const usedUnseen = new Set(['typescript', ...(choices.host === 'next' ? impliedByNext : [])]);
    const idle = declared.filter((name) => !name.startsWith('@types/') && !used.has(name) && !usedUnseen.has(name));
    expect(idle, label).toEqual([]);
    // What nothing imports is started by a command, by Next or by the test runner.
    const idleFiles = [...files.keys()].filter(
      (file) =>
        isCode(file) &&
        !led.has(file) &&
        !/^app\/|\.test\.ts$|^(?:instrumentation|next\.config|src\/(?:main|open-account|sell-pack))\.ts$/u.test(file),
    );
    expect(idleFiles, label).toEqual([]);
  }
});

test('projects ask for the packages of one version', async () => {
  const files = await renderProject(
    'my-gateway',
    { host: 'hono', storage: 'postgres', provider: 'routed', payments: 'stripe' },
    '',
  );
  const own = JSON.parse(files.get('package.json') ?? '') as { readonly dependencies: Record<string, string> };
  const ranges = Object.entries(own.dependencies).filter(([name]) => name.includes('tollgate'));
  expect(ranges.map(([name]) => name)).toEqual([
    '@tollgate/provider-routing',
    '@tollgate/storage-postgres',
    '@tollgate/stripe',
    'tollgate',
  ]);
  expect(new Set(ranges.map(([, range]) => range)).size).toBe(1);
});
