import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolRunner } from '@tollgate/engine';
import { runGatewayCase, type GatewaySettings, type GatewayWorld } from '@tollgate/testing/gateway';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { afterAll, expect, test } from 'vitest';
import { openGateway } from './gateway/open-in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-at-rest-'));
afterAll(() => rmSync(folder, { recursive: true }));

const contextSecret = 'the secret of the host that seals it';
/** Texts of a client that are secrets to its servers, told apart by where they are given. */
const hidden = (place: string): string => `hidden-at-${place}-3f9c`;
const mcpServer = (place: string) => ({
  type: 'mcp_server',
  url: 'https://mcp.example.com/mcp',
  headers: { authorization: hidden(place) },
});
/** Runs what an MCP server offers, which is nothing. */
const nothingToCall: ToolRunner<'mcp_server'> = {
  tool: 'mcp_server',
  isRepeatable: true,
  callUsageMax: [],
  declare: async () => [],
};
const prompt = 'a-text-that-is-kept-as-it-came';

/** Uses everything that takes or gives a secret, and returns all of them. */
const useSecrets = async (world: GatewayWorld): Promise<readonly string[]> => {
  const ask = async (path: string, body: unknown, key = world.key): Promise<Record<string, unknown>> => {
    const answer = await world.send({ path, body, key });
    expect([path, answer.status, answer.text]).toEqual([path, 200, expect.any(String)]);
    return JSON.parse(answer.text) as Record<string, unknown>;
  };
  const keyOf = async (model: string): Promise<string> =>
    (await world.createCaller({ projectId: world.projectId, model })).key;
  const [textKey, liveKey] = [await keyOf('flash-2.5'), await keyOf('flash-2.5-native-audio-latest')];
  const webhook = await ask('/webhooks', { url: world.receiver.url });
  const rotated = await world.admin.rotateWebhookSecret({
    webhookId: String(webhook['id']),
    projectId: world.projectId,
  });
  const live = await ask('/live', { config: { generationConfig: { responseModalities: ['TEXT'] } } }, liveKey);
  await ask('/agents', { tools: [mcpServer('agent')] }, textKey);
  await ask('/interactions', { input: prompt, tools: [mcpServer('interaction')] }, textKey);
  const interaction = { input: 'x', tools: [mcpServer('trigger')] };
  await ask('/triggers', { schedule: '0 9 * * *', time_zone: 'Etc/UTC', interaction }, textKey);
  const network = { allowlist: [{ domain: 'api.example.com', transform: { authorization: hidden('environment') } }] };
  await ask('/environments', { network }, textKey);
  await world.chat();
  await world.runJobs();
  return [
    world.key,
    textKey,
    liveKey,
    String(webhook['signing_secret']),
    String(rotated?.secret),
    String(live['access_key']),
    ...['agent', 'interaction', 'trigger', 'environment'].map(hidden),
  ];
};

const bytesBelow = (place: string): Buffer =>
  Buffer.concat(
    readdirSync(place, { recursive: true, encoding: 'utf8' })
      .map((name) => join(place, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => readFileSync(path)),
  );

/** What lies on the disk after all of that, and the secrets of it. */
const leak = async (name: string, settings: GatewaySettings): Promise<{ disk: Buffer; secrets: readonly string[] }> => {
  const place = join(folder, name);
  const data = (now: () => number) => () => sqliteStorage({ path: join(place, 'a.db'), now });
  let secrets: readonly string[] = [];
  const run = async (world: GatewayWorld): Promise<void> => {
    secrets = await useSecrets(world);
  };
  await runGatewayCase((opening) => openGateway(opening, { data }), {
    title: name,
    run,
    settings: { receives: true, tools: { mcp_server: nothingToCall }, ...settings },
  });
  return { disk: bytesBelow(place), secrets };
};

test('what the gateway stores on disk holds no plain-text secret, if the host gives the sealing secret', async () => {
  const { disk, secrets } = await leak('given', { contextSecret });
  expect(secrets.filter((secret) => secret.length < 20)).toEqual([]);
  expect([contextSecret, ...secrets].filter((secret) => disk.includes(secret))).toEqual([]);
  expect(disk.includes(prompt)).toBe(true);
});

test('without a secret of the host, the one that seals lies beside what it seals', async () => {
  const { disk, secrets } = await leak('generated', {});
  expect(secrets.filter((secret) => disk.includes(secret))).toEqual([]);
  expect(disk.includes('context_secret')).toBe(true);
});
