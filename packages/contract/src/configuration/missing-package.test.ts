import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { missingPackage } from './missing-package.ts';

const failureOf = (load: () => unknown): unknown => {
  try {
    return load();
  } catch (cause) {
    return cause;
  }
};

test('says which package to install where an import does not find it', async () => {
  const name: string = '@absent/package';
  const required = failureOf(() => createRequire(import.meta.url).resolve(`${name}/package.json`));
  const imported = Object.assign(new Error(`Cannot find package '${name}' imported from /srv/host.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
  for (const cause of [required, imported])
    expect(missingPackage('part()', name, cause)).toMatchObject({
      code: 'package_missing',
      packageName: name,
      message: 'part() needs the package @absent/package, which is not installed: npm install @absent/package',
      cause,
    });
});

test('leaves another failure of the import as it is', () => {
  const other = Object.assign(new Error("Cannot find package 'within' imported from /srv/package.js"), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
  expect(missingPackage('part()', 'package', other)).toBe(other);
  const broken = new Error("'package' has a fault");
  expect(missingPackage('part()', 'package', broken)).toBe(broken);
});
