import type { JsonObject, LiveEvents, LiveMessage, LiveUpstream } from '@tollgate/provider';
import type { SandboxWorld } from './conduct.ts';
import { parseDirectives } from './directives.ts';
import { listOf, recordOf, textOf } from './live-json.ts';
import { musicPiece, musicPieceMs } from './live-audio.ts';

interface Prompt {
  readonly text: string;
  readonly weight: number;
}

interface Concert {
  readonly events: LiveEvents;
  prompts: readonly Prompt[];
  piece: number;
  playing: AbortController | null;
}

const say = ({ events }: Concert, body: JsonObject): void =>
  events.emit({ kind: 'message', message: { body, text: JSON.stringify(body) } });

const play = async (world: SandboxWorld, concert: Concert, { signal }: AbortController): Promise<void> => {
  while (!signal.aborted) {
    const data = musicPiece(concert.prompts, concert.piece);
    concert.piece += 1;
    say(concert, { serverContent: { audioChunks: [{ data, mimeType: 'audio/l16;rate=48000;channels=2' }] } });
    // A wait that is given up is the end of the music.
    await world.sleep(musicPieceMs, signal).catch(() => undefined);
  }
};

const stop = (concert: Concert): void => {
  concert.playing?.abort();
  concert.playing = null;
};

const control = (world: SandboxWorld, concert: Concert, command: unknown): void => {
  if (command === 'PLAY' && concert.playing === null) {
    concert.playing = new AbortController();
    void play(world, concert, concert.playing);
  } else if (command === 'PAUSE') stop(concert);
  else if (command === 'RESET_CONTEXT') concert.piece = 0;
  else if (command === 'STOP') {
    stop(concert);
    concert.piece = 0;
    concert.prompts = [];
  }
};

const isFiltered = ({ text }: Prompt): boolean => parseDirectives(text, 'live').some(({ kind }) => kind === 'filter');

/** A prompt with the directive `filter` is refused, and said to be. */
const takePrompts = (concert: Concert, prompts: readonly unknown[]): void => {
  const read = prompts.map(recordOf).map(({ text, weight }) => ({ text: textOf(text) ?? '', weight: Number(weight) }));
  for (const { text } of read.filter(isFiltered)) say(concert, { filteredPrompt: { text, filteredReason: 'SAFETY' } });
  concert.prompts = read.filter((prompt) => !isFiltered(prompt));
  const told = read.flatMap(({ text }) => parseDirectives(text, 'live'));
  if (!told.some(({ kind }) => kind === 'drop')) return;
  stop(concert);
  concert.events.emit({ kind: 'closed', cause: 'lost', measured: true });
};

const take = (world: SandboxWorld, concert: Concert, { body }: LiveMessage): void => {
  const prompts = recordOf(body['clientContent'])['weightedPrompts'];
  if (prompts !== undefined) takePrompts(concert, listOf(prompts));
  if (body['playbackControl'] !== undefined) control(world, concert, body['playbackControl']);
};

/** Music while it plays: a piece every tenth of a second, of the prompts' pitches by their weights. */
export const perform = (world: SandboxWorld, events: LiveEvents): LiveUpstream => {
  const concert: Concert = { events, prompts: [], piece: 0, playing: null };
  return {
    send: (message) => take(world, concert, message),
    onEvent: events.onEvent,
    bufferedBytes: () => 0,
    close: () => {
      stop(concert);
      events.emit({ kind: 'closed', cause: 'ended', measured: true });
    },
  };
};
