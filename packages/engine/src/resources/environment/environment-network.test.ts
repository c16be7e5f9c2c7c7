import { randomBytes } from 'node:crypto';
import type { EnvironmentNetwork } from '@tollgate/contract';
import { expect, test } from 'vitest';
import { createEnvironmentWorld, environmentPlan } from '../../../test/environment-world.ts';
import { createTextSeal } from '../../access/seal-text.ts';
import { createResource } from '../create-resource.ts';
import { deleteResource } from '../delete-resource.ts';
import { environmentNetworks, networkVerdict, sealNetwork } from './environment-network.ts';

const seal = createTextSeal(['secret'], 'environment network', randomBytes);

const network: EnvironmentNetwork = {
  kind: 'allowlist',
  rules: [
    { domain: 'api.example.com', headers: { authorization: 'Bearer hidden' } },
    { domain: '*.example.com', headers: {} },
  ],
};

test('header values lie sealed in the record and are opened for the tools [environments:body:network-transform-secret]', async () => {
  const world = await createEnvironmentWorld();
  const plan = environmentPlan(world, [], 1_000);
  const work = { network: sealNetwork(seal, network) };
  const outcome = await createResource(world.engine, { ...plan, draft: { ...plan.draft, work } });
  if (outcome.kind !== 'created') throw new Error('not created');
  const { resource } = outcome.found;
  expect(JSON.stringify(resource)).not.toContain('hidden');
  const networks = environmentNetworks(world.engine, seal);
  expect(await networks.find(resource.id)).toEqual(network);
  const foreign = environmentNetworks(world.engine, createTextSeal(['other'], 'environment network', randomBytes));
  await expect(foreign.find(resource.id)).rejects.toThrow('another secret');
  expect(await networks.find('00000000-0000-7000-8000-999999999999')).toBeNull();
});

test('a disabled network is kept as it is, as long as its environment is there', async () => {
  const world = await createEnvironmentWorld();
  const id = await world.createEnvironment({});
  expect(await environmentNetworks(world.engine, seal).find(id)).toEqual({ kind: 'disabled' });
  await deleteResource(world.engine, world.projectId, { kind: 'environment', id });
  expect(await environmentNetworks(world.engine, seal).find(id)).toBeNull();
  expect(sealNetwork(seal, { kind: 'disabled' })).toEqual({ kind: 'disabled' });
});

const verdict = (url: string, on: EnvironmentNetwork | null = network) => networkVerdict(on, new URL(url));
const refused = { kind: 'refused' };

test.each([
  'https://www.example.com/',
  'http://a.b.example.com',
  'https://WWW.Example.com.',
  'https://x.example.com:8443',
])('lets %s through', (url) => {
  expect(verdict(url)).toEqual({ kind: 'allowed', headers: {} });
});

test.each(['https://example.com', 'https://example.org', 'https://notexample.com', 'https://example.com.evil.org'])(
  'refuses %s',
  (url) => {
    expect(verdict(url)).toEqual(refused);
  },
);

test('adds the headers of the first domain that covers an address, over TLS alone', () => {
  expect(verdict('https://api.example.com/v1')).toEqual({
    kind: 'allowed',
    headers: { authorization: 'Bearer hidden' },
  });
  expect(verdict('http://api.example.com/v1')).toEqual(refused);
});

test('refuses everything where the network is disabled, or unknown', () => {
  expect(verdict('https://www.example.com', { kind: 'disabled' })).toEqual(refused);
  expect(verdict('https://www.example.com', null)).toEqual(refused);
  expect(verdict('https://www.example.com', { kind: 'allowlist', rules: [] })).toEqual(refused);
});

test('a star covers every name', () => {
  const all: EnvironmentNetwork = { kind: 'allowlist', rules: [{ domain: '*', headers: {} }] };
  expect(verdict('https://anything.at.all', all).kind).toBe('allowed');
});
