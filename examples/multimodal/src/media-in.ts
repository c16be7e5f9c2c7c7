import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, FileRecord, Upload } from './client.ts';
import { writeMp4 } from './mp4-video.ts';
import { writePdf } from './pdf-document.ts';
import { writePng } from './png-image.ts';
import { writeWav } from './wav-audio.ts';

const videoSide = 48;
const frames = [60, 120, 180, 240].map((brightness) => writePng(videoSide, brightness));

const uploads: readonly Upload[] = [
  { displayName: 'colours.png', mimeType: 'image/png', bytes: writePng(96) },
  { displayName: 'tone.wav', mimeType: 'audio/wav', bytes: writeWav(1_500) },
  { displayName: 'page.pdf', mimeType: 'application/pdf', bytes: writePdf('The ferry leaves at nine') },
  { displayName: 'film.mp4', mimeType: 'video/mp4', bytes: writeMp4({ frames, side: videoSide, frameMs: 250 }) },
];

const queriesMax = 50;
const pauseMs = 20;

/** A file may be used once it is active. */
const untilActive = async (client: Client, uploaded: FileRecord): Promise<FileRecord> => {
  let file = uploaded;
  for (let queries = 0; file.status === 'processing'; queries += 1) {
    assert.ok(queries < queriesMax, 'the file is never active');
    await sleep(pauseMs);
    file = await client.readFile(file.id);
  }
  assert.equal(file.status, 'active');
  return file;
};

export interface UploadedFile extends Upload {
  readonly file: FileRecord;
}

/** Uploads every file; an upload is free, and what came is what was sent. */
export const uploadAll = async (client: Client): Promise<readonly UploadedFile[]> => {
  const uploaded: UploadedFile[] = [];
  for (const upload of uploads) {
    const file = await untilActive(client, await client.upload(upload));
    assert.equal(file.size_bytes, upload.bytes.length);
    assert.equal(file.sha256, createHash('sha256').update(upload.bytes).digest('hex'));
    uploaded.push({ ...upload, file });
  }
  return uploaded;
};

/** What the sandbox says of a file that it was shown. */
const seen = ({ mimeType, bytes }: Upload): string => `Media ${mimeType} of ${bytes.length} bytes.`;

/** Asks about one file by its id. Each answer is an operation, which is charged by what kind of input it read. */
export const askAbout = async (client: Client, uploaded: UploadedFile): Promise<void> => {
  const { parts, credits } = await client.generate([
    { text: `What is in ${uploaded.displayName}?` },
    { fileData: { fileUri: uploaded.file.name } },
  ]);
  const text = parts.map((part) => part.text ?? '').join('');
  assert.ok(text.includes(seen(uploaded)), text);
  assert.ok(credits > 0);
};

/** Asks about all of them in one message of a chat. */
export const askAboutAll = async (client: Client, files: readonly UploadedFile[]): Promise<void> => {
  const answer = await client.chat([
    { type: 'text', text: 'What do these have in common?' },
    ...files.map(({ file }) => ({ type: 'file', file: { file_id: file.id } })),
  ]);
  for (const uploaded of files) assert.ok(answer.includes(seen(uploaded)), answer);
};

/** Another key of the project sees the same files. A file that is deleted is gone for all of them. */
export const deleteAll = async (client: Client, files: readonly UploadedFile[]): Promise<void> => {
  const listed = await client.listFiles();
  assert.deepEqual(listed.map(({ id }) => id).toSorted(), files.map(({ file }) => file.id).toSorted());
  for (const { file } of files) await client.deleteFile(file.id);
  assert.deepEqual(await client.listFiles(), []);
};
