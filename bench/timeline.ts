// What one lone chat waits for in the process of the gateway, part by part: npm run bench:timeline [-- rows]
import path from 'node:path';
import { findBuild } from './build-state.ts';
import { chooseContestants, type Contestant } from './contestants.ts';
import { createPinning } from './pinning.ts';
import { freshFolder, startSession } from './session.ts';
import { askForFile, sendOneByOne } from './lone-chats.ts';
import { medianOf } from './statistics.ts';
import type { NotedChat } from './timeline-notes.ts';

const rows = ['pipe', 'undici-pipe', 'memory', 'normal', 'full'];
/** Caches are filled and functions compiled by then. */
const warmUpRequests = 3_000;
const requests = 1_000;

const microsPerMs = 1_000;

/** Chats that did the same in the same order are one line; the line that most of them share. */
const commonest = (chats: readonly NotedChat[]): readonly NotedChat[] => {
  const lines = Map.groupBy(chats, ({ parts }) => parts.map(({ name, turn }) => `${name} ${turn}`).join('\n'));
  return [...lines.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
};

interface TimelineRow {
  readonly part: string;
  readonly turn: number;
  readonly 'at µs': number;
  readonly 'took µs': number;
}

const lineOf = (chats: readonly NotedChat[]): readonly TimelineRow[] =>
  (chats[0]?.parts ?? []).map(({ name, turn }, at) => ({
    part: name,
    turn,
    'at µs': Math.round(medianOf(chats.map(({ parts }) => (parts[at]?.atMs ?? 0) * microsPerMs))),
    'took µs': Math.round(medianOf(chats.map(({ parts }) => (parts[at]?.tookMs ?? 0) * microsPerMs))),
  }));

const drawOne = async (contestant: Contestant): Promise<void> => {
  const file = path.join(freshFolder(), 'notes.json');
  process.env['TIMELINE_FILE'] = file;
  const nodeFlags = [`--import=${path.join(import.meta.dirname, 'gateways/note-times.ts')}`];
  const noted = { ...contestant, run: contestant.run, ours: true };
  const session = await startSession({ pinning: createPinning(), build: findBuild('either'), nodeFlags }, noted, 0);
  try {
    await sendOneByOne(session.request(), warmUpRequests, 'w');
    await askForFile(session.pids.gatewayPid, file);
    const times = await sendOneByOne(session.request(), requests, 'm');
    // Written by `gateways/note-times.ts`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const chats = (await askForFile(session.pids.gatewayPid, file)) as readonly NotedChat[];
    const line = commonest(chats);
    const share = Math.round((line.length * 100) / chats.length);
    console.log(
      `\n${contestant.title}: ${Math.round(medianOf(times) * microsPerMs)} µs for its client; ${share}% of the chats did this`,
    );
    console.table(lineOf(line));
  } finally {
    await session.stop();
  }
};

const wanted = process.argv.slice(2);
for (const contestant of chooseContestants(wanted.length === 0 ? rows : wanted).chosen) await drawOne(contestant);
