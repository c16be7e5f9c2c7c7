/** What the page's own back end hands out for one session. */
export interface Access {
  readonly id: string;
  readonly url: string;
  readonly access_key: string;
}

export interface Conversation {
  /** What the microphone gives: samples of 16 bits at 16 kHz. */
  readonly microphone: Int16Array;
  /** Takes what the model speaks: samples of 16 bits at 24 kHz, in order. */
  readonly play: (samples: Int16Array) => void;
}

export interface Answered {
  readonly transcript: string;
  readonly spokenMs: number;
}

interface Part {
  readonly inlineData?: { readonly data: string };
}

interface ServerMessage {
  readonly setupComplete?: object;
  readonly serverContent?: {
    readonly modelTurn?: { readonly parts: readonly Part[] };
    readonly outputTranscription?: { readonly text: string };
    readonly turnComplete?: boolean;
  };
}

const microphoneRate = 16_000;
const speechRate = 24_000;
/** A microphone gives fifty pieces in a second. */
const pieceMs = 20;
const pieceSamples = (microphoneRate * pieceMs) / 1_000;

const toBase64 = (samples: Int16Array): string => {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  let text = '';
  for (const byte of bytes) text += String.fromCodePoint(byte);
  return btoa(text);
};

const fromBase64 = (data: string): Int16Array => {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.codePointAt(at) ?? 0;
  return new Int16Array(bytes.buffer);
};

const send = (socket: WebSocket, message: object): void => socket.send(JSON.stringify(message));

/** Sends sound at the pace at which a microphone gives it, and says where it ends. */
const stream = async (socket: WebSocket, microphone: Int16Array): Promise<void> => {
  const startMs = performance.now();
  for (let from = 0; from < microphone.length; from += pieceSamples) {
    const data = toBase64(microphone.slice(from, from + pieceSamples));
    send(socket, { realtimeInput: { audio: { data, mimeType: 'audio/pcm;rate=16000' } } });
    const dueMs = startMs + ((from + pieceSamples) / microphoneRate) * 1_000;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
  }
  send(socket, { realtimeInput: { audioStreamEnd: true } });
};

/** Talks once: brings the access, streams the microphone, plays the answer, and leaves. Needs nothing but `WebSocket`. */
export const talk = (access: Access, { microphone, play }: Conversation): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(access.url);
    let transcript = '';
    let samples = 0;
    const take = ({ setupComplete, serverContent }: ServerMessage): void => {
      if (setupComplete !== undefined) stream(socket, microphone).catch(reject);
      for (const { inlineData } of serverContent?.modelTurn?.parts ?? []) {
        if (inlineData === undefined) continue;
        const spoken = fromBase64(inlineData.data);
        samples += spoken.length;
        play(spoken);
      }
      transcript += serverContent?.outputTranscription?.text ?? '';
      if (serverContent?.turnComplete !== true) return;
      socket.close(1000);
      resolve({ transcript, spokenMs: (samples / speechRate) * 1_000 });
    };
    socket.addEventListener('open', () => send(socket, { id: access.id, access_key: access.access_key }));
    // The gateway sends JSON text, and only what its documentation says.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    socket.addEventListener('message', ({ data }) => take(JSON.parse(String(data)) as ServerMessage));
    socket.addEventListener('close', ({ code }) => reject(new Error(`the session was closed with ${code}`)));
  });
