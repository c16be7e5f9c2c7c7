import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type RunningGateway } from './running-gateway.ts';

interface RecordedBody {
  /** How many of the recorded requests have this form. */
  readonly times: number;
  readonly body: {
    readonly tools?: readonly { readonly mcpServers?: unknown }[];
    readonly generationConfig?: { readonly responseModalities?: readonly string[] };
  };
}

/**
 * The bodies that the Google client sent in its own system tests, in August 2026: every member and its place, texts and names
 * replaced, the same forms once.
 */
const recorded = JSON.parse(
  readFileSync(new URL('data/genai-bodies.json', import.meta.url), 'utf8'),
) as readonly RecordedBody[];

let running: RunningGateway;
beforeAll(async () => {
  running = await startGateway({ options: { compatibility: { google: true } }, model: null });
});
afterAll(async () => {
  await running.close();
});

const ask = async ({ body }: RecordedBody): Promise<{ readonly status: number; readonly text: string }> => {
  const wantsImages = body.generationConfig?.responseModalities?.includes('IMAGE') === true;
  const model = wantsImages ? 'flash-2.5-image' : 'flash-3.8';
  const answer = await fetch(`${running.origin}/v1beta/models/${model}:generateContent`, {
    method: 'POST',
    headers: { 'x-goog-api-key': running.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
};

const usesServers = ({ body }: RecordedBody): boolean =>
  body.tools?.some(({ mcpServers }) => mcpServers !== undefined) ?? false;
const timesOf = (bodies: readonly RecordedBody[]): number => bodies.reduce((sum, { times }) => sum + times, 0);

test('responds to every recorded body but those that name servers of tools [generate:compat:google]', async () => {
  const taken = recorded.filter((each) => !usesServers(each));
  expect([timesOf(recorded), timesOf(taken)]).toEqual([125, 119]);
  for (const each of taken) {
    const { status, text } = await ask(each);
    expect(status, `${JSON.stringify(each.body)}: ${text}`).toBe(200);
  }
});

test('refuses servers of tools by name, and says where they are taken', async () => {
  for (const each of recorded.filter(usesServers)) {
    const { status, text } = await ask(each);
    expect(status).toBe(422);
    expect(text).toContain('tools[0].mcpServers');
    expect(text).toContain('POST /interactions');
  }
});
