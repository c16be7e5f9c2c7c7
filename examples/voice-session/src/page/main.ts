import { talk, type Access } from './voice-client.ts';

const speechRate = 24_000;
const wavHeaderBytes = 44;

const element = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found;
};

/** Plays pieces of speech one after the other. */
const createPlayer = () => {
  const audio = new AudioContext({ sampleRate: speechRate });
  let nextAt = 0;
  return {
    play: (samples: Int16Array): void => {
      const buffer = audio.createBuffer(1, samples.length, speechRate);
      buffer.getChannelData(0).set(Float32Array.from(samples, (sample) => sample / 32_768));
      const source = audio.createBufferSource();
      source.buffer = buffer;
      source.connect(audio.destination);
      nextAt = Math.max(nextAt, audio.currentTime);
      source.start(nextAt);
      nextAt += buffer.duration;
    },
    state: () => audio.state,
  };
};

const start = async (): Promise<void> => {
  // The page's own back end holds the key; the page gets the access to one socket.
  const answer = await fetch('/access', { method: 'POST' });
  // Our own back end wrote it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const access = (await answer.json()) as Access;
  const file = await (await fetch('/microphone.wav')).arrayBuffer();
  const microphone = new Int16Array(file.slice(wavHeaderBytes));
  const player = createPlayer();
  element('state').textContent = 'talking';
  const { transcript, spokenMs } = await talk(access, { microphone, play: player.play });
  element('answer').textContent = transcript;
  element('spoken').textContent = String(spokenMs);
  element('audio').textContent = player.state();
  element('state').textContent = 'answered';
};

element('talk').addEventListener('click', () => {
  start().catch((cause: unknown) => {
    element('state').textContent = `failed: ${String(cause)}`;
  });
});
