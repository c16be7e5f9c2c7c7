import { GoogleGenAI, Modality, type LiveConnectConfig, type LiveServerMessage, type Session } from '@google/genai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dialSocket } from '@tollgate/testing/gateway';
import { lastOf, startGateway, type RunningGateway } from './running-gateway.ts';

const model = 'flash-2.5-native-audio-latest';
const musicModel = 'music-realtime-exp';
const weather = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

let running: RunningGateway;
beforeEach(async () => {
  // The client warns on the console about its own experiments.
  vi.spyOn(console, 'warn').mockReturnValue();
  running = await startGateway({ options: { compatibility: { google: true } }, model });
});
afterEach(async () => {
  expect(running.errors).toEqual([]);
  await running.close();
});

const clientOf = (apiKey = running.key, more: object = {}): GoogleGenAI =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: running.baseUrl, ...more } });

interface Talk {
  readonly session: Session;
  readonly messages: readonly LiveServerMessage[];
  /** Resolves with all messages since the last turn, once the model has measured this one. */
  readonly turn: () => Promise<readonly LiveServerMessage[]>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

/** A session of the unmodified client, over a real socket. */
const connect = async (
  config: LiveConnectConfig = {},
  client: GoogleGenAI = clientOf(),
  asked: string = model,
): Promise<Talk> => {
  const messages: LiveServerMessage[] = [];
  let from = 0;
  const { promise: closed, resolve } = Promise.withResolvers<{ readonly code: number; readonly reason: string }>();
  const session = await client.live.connect({
    model: asked,
    config,
    callbacks: {
      onmessage: (message) => void messages.push(message),
      onclose: ({ code, reason }) => resolve({ code, reason }),
    },
  });
  const turn = async (): Promise<readonly LiveServerMessage[]> => {
    await expect.poll(() => messages.slice(from).some(({ usageMetadata }) => usageMetadata !== undefined)).toBe(true);
    const turned = messages.slice(from);
    from = messages.length;
    return turned;
  };
  return { session, messages, turn, closed };
};

const textOf = (messages: readonly LiveServerMessage[]): string => messages.map(({ text }) => text ?? '').join('');

/** The only operation of the project, as it has ended. */
const endedOperation = async () => {
  const scope = { kind: 'project', projectId: running.projectId } as const;
  await expect
    .poll(async () => (await running.gateway.admin.listOperations(scope)).map(({ state }) => state))
    .toEqual(['completed']);
  return lastOf(await running.gateway.admin.listOperations(scope));
};

const text = { responseModalities: [Modality.TEXT] };

test('talks in text with a key, tells what a turn used, and is charged once', async () => {
  const { session, turn, closed } = await connect({ ...text, systemInstruction: 'Be brief.', temperature: 0.5 });
  session.sendClientContent({ turns: '[[sandbox: echo Good day.]]' });
  const first = await turn();
  expect(textOf(first)).toBe('Good day.');
  expect(first.some(({ serverContent }) => serverContent?.turnComplete === true)).toBe(true);
  const usage = lastOf(first).usageMetadata;
  expect(usage?.promptTokenCount).toBeGreaterThan(0);
  expect(usage?.totalTokenCount).toBe((usage?.promptTokenCount ?? 0) + (usage?.responseTokenCount ?? 0));
  session.sendRealtimeInput({ text: '[[sandbox: echo Once more.]]' });
  expect(textOf(await turn())).toBe('Once more.');
  session.close();
  await closed;
  const operation = await endedOperation();
  expect(operation.chargedMicros).toBeGreaterThan(0n);
  expect(operation.attempts).toMatchObject([{ provider: 'sandbox', outcome: 'answered' }]);
});

test('talks with a token of a page in the place of the key, within its budget, until it is revoked', async () => {
  const { admin } = running.gateway;
  const [key] = await admin.listKeys(running.projectId);
  const made = await admin.createToken({ keyId: key?.id ?? '', models: [model], budgetMicros: 1_000_000_000n });
  const { session, turn, closed } = await connect(text, clientOf(made?.token));
  session.sendClientContent({ turns: '[[sandbox: echo Good day.]]' });
  expect(textOf(await turn())).toBe('Good day.');
  session.close();
  await closed;
  expect(await endedOperation()).toMatchObject({ keyId: key?.id, state: 'completed' });
  await admin.revokeToken(made?.id ?? '');
  await expect(connect(text, clientOf(made?.token))).rejects.toThrow(/key is missing, wrong or revoked/);
});

test('opens the sockets of a token to its pages alone, by the token itself and by the one that it has asked for', async () => {
  const { admin } = running.gateway;
  const [key] = await admin.listKeys(running.projectId);
  const page = 'https://app.example.com';
  const made = await admin.createToken({ keyId: key?.id ?? '', origins: [page] });
  const token = made?.token ?? '';
  const asked = { uses: 1, liveConnectConstraints: { model, config: text } };
  const minted = await clientOf(token, { headers: { origin: page } }).authTokens.create({ config: asked });
  const method = '/ws/google.ai.generativelanguage.v1alpha.GenerativeService.BidiGenerateContent';
  const setup = JSON.stringify({ setup: { model: `models/${model}`, generationConfig: text } });
  const dial = async (query: string, origin: string) => {
    const socket = await dialSocket(`${running.origin.replace('http', 'ws')}${method}${query}`, origin);
    socket.send(setup);
    return socket;
  };
  for (const query of [`Constrained?access_token=${minted.name}`, `?key=${token}`]) {
    const other = await dial(query, 'https://other.example.com');
    await expect(other.next()).rejects.toThrow('the socket was closed');
    expect(await other.closed).toBe(1008);
    const socket = await dial(query, page);
    expect(await socket.next()).toBe('{"setupComplete":{}}');
    socket.close();
    await socket.closed;
  }
});

/** So many milliseconds of 16-bit samples at 16 kHz. */
const pcm = (ms: number, level: number): string => {
  const samples = Int16Array.from({ length: 16 * ms }, (_, at) => (at % 2 === 0 ? level : -level));
  return Buffer.from(samples.buffer).toString('base64');
};

test('hears audio and answers in audio', async () => {
  const { session, turn } = await connect({ responseModalities: [Modality.AUDIO], outputAudioTranscription: {} });
  for (const data of [pcm(400, 9_000), pcm(600, 0)])
    session.sendRealtimeInput({ audio: { data, mimeType: 'audio/pcm;rate=16000' } });
  const messages = await turn();
  expect(messages.filter(({ data }) => data !== undefined).length).toBeGreaterThan(0);
  expect(lastOf(messages).usageMetadata?.responseTokensDetails).toMatchObject([{ modality: 'AUDIO' }]);
  session.close();
  expect((await endedOperation()).chargedMicros).toBeGreaterThan(0n);
});

test('calls functions, and goes on with their results', async () => {
  const { session, messages, turn } = await connect({ ...text, tools: [{ functionDeclarations: [weather] }] });
  session.sendClientContent({ turns: '[[sandbox: tool get_weather {"city":"Faro"}]]' });
  await expect.poll(() => messages.some(({ toolCall }) => toolCall !== undefined)).toBe(true);
  const call = messages.flatMap(({ toolCall }) => toolCall?.functionCalls ?? [])[0];
  expect(call).toMatchObject({ name: 'get_weather', args: { city: 'Faro' } });
  const response = { id: call?.id ?? '', name: 'get_weather', response: { sky: 'sunny' } };
  session.sendToolResponse({ functionResponses: [response] });
  expect(textOf(await turn())).toContain('sunny');
  session.close();
  await endedOperation();
});

test('talks with a token in place of the key, once, with the setup that the token was made with', async () => {
  const token = await clientOf().authTokens.create({
    config: {
      uses: 1,
      expireTime: new Date(Date.now() + 30 * 60_000).toISOString(),
      newSessionExpireTime: new Date(Date.now() + 60_000).toISOString(),
      liveConnectConstraints: { model, config: { ...text, sessionResumption: {} } },
      httpOptions: { apiVersion: 'v1alpha' },
    },
  });
  const client = clientOf(token.name ?? '', { apiVersion: 'v1alpha' });
  const { session, turn } = await connect({ responseModalities: [Modality.AUDIO] }, client);
  session.sendClientContent({ turns: '[[sandbox: echo Good day.]]' });
  expect(textOf(await turn())).toBe('Good day.');
  session.close();
  await endedOperation();
  await expect(connect({}, client)).rejects.toThrow('1008');
});

test('learns that its session cannot be taken up again, and is refused where it wants that', async () => {
  const { session, messages } = await connect({ ...text, sessionResumption: {} });
  await expect.poll(() => messages.some(({ sessionResumptionUpdate: told }) => told?.resumable === false)).toBe(true);
  session.close();
  await endedOperation();
  await expect(connect({ ...text, sessionResumption: { handle: 'x' } })).rejects.toThrow('sessionResumption.handle');
});

test('is refused by the code of a close and a reason that names the field', async () => {
  const refusals = [
    [connect({}, clientOf('wrong')), /code 1008.*key/],
    [connect({}, clientOf('auth_tokens/wrong', { apiVersion: 'v1alpha' })), /code 1008.*token/],
    [connect({}, clientOf(), 'pro-2.5'), /code 1007.*model/],
    [connect({ ...text, safetySettings: [] }), /code 1007.*safetySettings/],
    [connect({ ...text, enableAffectiveDialog: true }), /code 1007.*enableAffectiveDialog/],
    [connect({ ...text, tools: [{ googleSearch: {} }] }), /code 1007.*googleSearch/],
  ] as const;
  for (const [refused, said] of refusals) await expect(refused).rejects.toThrow(said);
  expect(await running.gateway.admin.listOperations({ kind: 'project', projectId: running.projectId })).toEqual([]);
});

test('is closed with the reason where the balance does not cover the session', async () => {
  const { admin } = running.gateway;
  const account = await admin.createAccount({ name: 'Poor' });
  const project = await admin.createProject({ accountId: account.id, name: 'Poor' });
  const key = await admin.createKey({ projectId: project?.id ?? '', model });
  await expect(connect(text, clientOf(key?.key))).rejects.toThrow(/code 1008.*credits/);
});

test('is closed when its client sends what no session takes', async () => {
  const { session, closed } = await connect(text);
  session.conn.send('{"surprise":1}');
  expect((await closed).code).toBe(1007);
  await endedOperation();
});

test('ends when its token says so', async () => {
  const token = await clientOf().authTokens.create({
    config: { expireTime: new Date(Date.now() + 1_500).toISOString(), liveConnectConstraints: { model, config: text } },
  });
  const { messages, closed } = await connect({}, clientOf(token.name ?? ''));
  expect((await closed).code).toBe(1000);
  expect(messages.some(({ goAway }) => goAway !== undefined)).toBe(true);
  await endedOperation();
});

test('plays music', async () => {
  const key = await running.newKey(musicModel);
  const pieces: number[] = [];
  const session = await clientOf(key).live.music.connect({
    model: musicModel,
    callbacks: { onmessage: ({ serverContent }) => void pieces.push(serverContent?.audioChunks?.length ?? 0) },
  });
  await session.setWeightedPrompts({ weightedPrompts: [{ text: 'piano', weight: 1 }] });
  session.play();
  await expect.poll(() => pieces.some((count) => count > 0)).toBe(true);
  session.close();
  expect((await endedOperation()).chargedMicros).toBeGreaterThan(0n);
});
