import { describe, expect, test } from 'vitest';
import { describeStorage } from '../describe-storage.ts';
import { storageCases } from '../storage-cases.ts';
import { runStorageCase } from '../storage-case.ts';
import { openPlain } from './storage-fault.ts';
import { storageFaults } from './storage-faults.ts';

describeStorage({ describe, test }, 'the plain storage without a fault', async () => openPlain(() => ({})));

const namesBeginning = (start: string): readonly string[] =>
  storageCases.map((one) => one.name).filter((name) => name.startsWith(start));

const pairs = storageFaults.flatMap(({ name, failing, fault, limitMs }) =>
  storageCases
    .filter((one) => failing.some((start) => one.name.startsWith(start)))
    .map((one) => ({ name, caseName: one.name, storageCase: one, fault, limitMs })),
);

test.each(pairs)('a storage that $name fails the case "$caseName"', async ({ storageCase, fault, limitMs }) => {
  const { promise } = storageCase;
  await expect(runStorageCase(storageCase, openPlain(fault), limitMs)).rejects.toMatchObject({ promise });
});

test('every fault names a case, and every case is failed by a fault', () => {
  for (const { name, failing } of storageFaults)
    for (const start of failing) expect(namesBeginning(start).length, `${name}: ${start}`).toBeGreaterThan(0);
  const failed = new Set(pairs.map((pair) => pair.caseName));
  expect(storageCases.map((one) => one.name).filter((name) => !failed.has(name))).toEqual([]);
});

test('no two cases and no two faults share a name', () => {
  const names = [...storageCases.map((one) => one.name), ...storageFaults.map((one) => one.name)];
  expect(new Set(names).size).toBe(names.length);
});
