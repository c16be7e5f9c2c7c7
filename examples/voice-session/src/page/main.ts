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

/** Made by the first press: browsers let a page sound only after one, and open few devices for it. */
let player: ReturnType<typeof createPlayer> | null = null;

const start = async (): Promise<void> => {
  player ??= createPlayer();
  // The page's own back end holds the key; the page gets the access to one socket.
  const answer = await fetch('/access', { method: 'POST' });
  if (!answer.ok) throw new Error(`no session: ${answer.status}`);
  // Our own back end wrote it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const access = (await answer.json()) as Access;
  const file = await (await fetch('/microphone.wav')).arrayBuffer();
  const microphone = new Int16Array(file.slice(wavHeaderBytes));
  element('state').textContent = 'talking';
  const { transcript, spokenMs } = await talk(access, { microphone, play: player.play });
  element('answer').textContent = transcript;
  element('spoken').textContent = String(Math.round(spokenMs));
  element('audio').textContent = player.state();
  element('played').hidden = false;
  element('state').textContent = 'answered';
};

const button = element('talk');
button.addEventListener('click', () => {
  // Each session is paid: one at a time.
  button.toggleAttribute('disabled', true);
  start()
    .catch((cause: unknown) => {
      element('state').textContent = `failed: ${String(cause)}`;
    })
    .finally(() => button.toggleAttribute('disabled', false));
});
