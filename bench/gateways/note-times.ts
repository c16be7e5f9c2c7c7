// Notes what one chat does in the process of the gateway, and when; writes the notes so far to the file that TIMELINE_FILE names, at each SIGUSR2.
// node --import bench/gateways/note-times.ts bench/gateways/tollgate.ts …
import crypto from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import fs, { renameSync, writeFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import sqlite from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';
import type { NotedChat, NotedPart } from '../timeline-notes.ts';

/** Turns of the event loop so far. */
const turnOf = (): number => performance.nodeTiming.uvMetricsInfo.loopCount;

const chats: NotedChat[] = [];
/** The chat under way: one at a time is sent. */
let parts: NotedPart[] = [];
let fromMs = 0;
let fromTurn = 0;

const note = (name: string, startedMs = performance.now()): void => {
  const endMs = performance.now();
  parts.push({ name, atMs: startedMs - fromMs, tookMs: endMs - startedMs, turn: turnOf() - fromTurn });
};

const begin = (): void => {
  parts = [];
  fromMs = performance.now();
  fromTurn = turnOf();
  note('request: head read');
};

const endChat = (): void => {
  chats.push({ parts });
  parts = [];
};

/** Replaces a function of an object by one that notes its calls under the name that it gets from their arguments. */
const noteCalls = (
  owner: object,
  member: string,
  nameOf: (self: unknown, given: readonly unknown[]) => string | null,
  andThen?: () => void,
) => {
  const original: unknown = Reflect.get(owner, member);
  if (typeof original !== 'function') throw new TypeError(`${member} is no function`);
  const noted = function (this: unknown, ...given: unknown[]): unknown {
    const startedMs = performance.now();
    const result: unknown = Reflect.apply(original, this, given);
    const name = nameOf(this, given);
    if (name !== null) note(name, startedMs);
    andThen?.();
    return result;
  };
  Reflect.set(owner, member, noted);
};

/** The text of a statement says whether it begins or ends a transaction. */
const transactionParts: ReadonlyMap<unknown, string> = new Map([
  ['BEGIN IMMEDIATE', 'step: lock'],
  ['BEGIN', 'read: begin'],
  ['COMMIT', 'step: commit'],
]);

const noteStatements = (): void => {
  const { prototype } = sqlite.StatementSync;
  noteCalls(prototype, 'run', (self) => {
    const text: unknown = Reflect.get(Object(self), 'sourceSQL');
    return transactionParts.get(text) ?? null;
  });
};

/** A sync on another thread: called, and done on a later turn. */
const noteSyncs = (): void => {
  noteCalls(fs, 'fdatasyncSync', () => 'sync: on this thread');
  const original = fs.fdatasync;
  const noted = (fd: number, done: (cause: NodeJS.ErrnoException | null) => void): void => {
    note('sync: handed to another thread');
    original(fd, (cause) => {
      note('sync: done');
      done(cause);
    });
  };
  Reflect.set(fs, 'fdatasync', noted);
};

const noteChannels = (): void => {
  subscribe('http.server.request.start', begin);
  const names: Readonly<Record<string, string>> = {
    'undici:request:create': 'upstream: asked',
    'undici:client:sendHeaders': 'upstream: head written',
    'undici:request:bodySent': 'upstream: body written',
    'undici:request:headers': 'upstream: head of the answer',
    'undici:request:trailers': 'upstream: answer whole',
    'http.client.request.created': 'upstream: asked',
    'http.client.response.finish': 'upstream: head of the answer',
  };
  for (const [channel, name] of Object.entries(names)) subscribe(channel, () => note(name));
};

/** JSON of more characters is that of a request, an answer or a record. */
const longChars = 200;

const noteWork = (): void => {
  noteCalls(JSON, 'parse', (_, [text]) => (String(text).length > longChars ? 'JSON parsed' : null));
  noteCalls(JSON, 'stringify', () => 'JSON written');
  noteCalls(crypto, 'createHash', () => 'hash begun');
  noteCalls(globalThis, 'setImmediate', () => 'setImmediate');
  noteCalls(globalThis, 'setTimeout', () => 'setTimeout');
  noteCalls(IncomingMessage.prototype, 'emit', (self, [event]) =>
    event === 'end' && Reflect.get(Object(self), 'statusCode') === null
      ? 'request: body whole, and what followed at once'
      : null,
  );
  noteCalls(ServerResponse.prototype, 'writeHead', () => 'response: head');
  noteCalls(ServerResponse.prototype, 'end', () => 'response: written', endChat);
};

const file = process.env['TIMELINE_FILE'];
if (isMainThread && file !== undefined) {
  noteStatements();
  noteSyncs();
  noteChannels();
  noteWork();
  syncBuiltinESMExports();
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.part`, JSON.stringify(chats.splice(0)));
    renameSync(`${file}.part`, file);
  });
}
