import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { FileState, type File, type GoogleGenAI } from '@google/genai';
import { generationModel as model } from './start-gateway.ts';

const queriesMax = 50;
const pauseMs = 20;

/** A file may be used once it is active. The sandbox is asked to take two queries for it. */
const untilActive = async (client: GoogleGenAI, uploaded: File): Promise<File> => {
  let file = uploaded;
  for (let queries = 0; file.state === FileState.PROCESSING; queries += 1) {
    assert.ok(queries < queriesMax, 'the file is never active');
    await sleep(pauseMs);
    file = await client.files.get({ name: uploaded.name ?? '' });
  }
  return file;
};

/** The client sends the bytes in pieces, as Google's upload protocol has it. */
export const files = async (client: GoogleGenAI): Promise<void> => {
  const text = 'The ferry leaves at nine. '.repeat(1_000);
  const uploaded = await client.files.upload({
    file: new Blob([text], { type: 'text/plain' }),
    config: { displayName: 'timetable [[sandbox: processing 2]]' },
  });
  assert.equal(uploaded.sizeBytes, String(text.length));
  assert.equal(uploaded.state, FileState.PROCESSING);
  const { name = '', uri = '', mimeType = '', state } = await untilActive(client, uploaded);
  assert.equal(state, FileState.ACTIVE);
  const answer = await client.models.generateContent({
    model,
    contents: [{ role: 'user', parts: [{ text: 'When does it leave?' }, { fileData: { fileUri: uri, mimeType } }] }],
  });
  assert.match(answer.text ?? '', new RegExp(`Media text/plain of ${text.length} bytes\\.`));
  const names: (string | undefined)[] = [];
  for await (const file of await client.files.list()) names.push(file.name);
  assert.deepEqual(names, [name]);
  await client.files.delete({ name });
  await assert.rejects(client.files.get({ name }), { status: 404 });
};
