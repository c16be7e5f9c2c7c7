import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerOvernight, askAboutManual, askStore, talk, tokenForPage } from '../../docs/snippets/google-clients.ts';
import { startGateway, type RunningGateway } from './running-gateway.ts';

let running: RunningGateway;
beforeAll(async () => {
  running = await startGateway({ options: { compatibility: { google: true } } });
});
afterAll(async () => {
  expect(running.errors).toEqual([]);
  await running.close();
});

test('the snippet of caches asks about a manual', async () => {
  const manual = 'The ferry leaves at nine. '.repeat(20);
  expect(await askAboutManual(running.baseUrl, running.key, manual, 'When?')).toContain('reply to 2 turns');
});

test('the snippet of batches gets all answers', async () => {
  const questions = ['[[sandbox: echo One.]]', '[[sandbox: echo Two.]]'];
  const answers = await answerOvernight(running.baseUrl, running.key, questions, () => Promise.resolve());
  expect(answers).toEqual(['One.', 'Two.']);
});

test('the snippet of stores asks about a file of a store', async () => {
  const manual = new Blob(['The ferry leaves at nine.'], { type: 'text/plain' });
  const question = '[[sandbox: tool file_search {"query":"When?"}]]';
  expect(await askStore(running.baseUrl, running.key, manual, question)).toContain('The ferry leaves at nine.');
});

test('the snippets of sessions talk with a key, and with a token made for a page', async () => {
  const key = await running.newKey('flash-2.5-native-audio-latest');
  expect(await talk(running.baseUrl, key, '[[sandbox: echo Hello.]]')).toBe('Hello.');
  const token = await tokenForPage(running.baseUrl, key);
  expect(await talk(running.baseUrl, token, '[[sandbox: echo Hello.]]')).toBe('Hello.');
});
