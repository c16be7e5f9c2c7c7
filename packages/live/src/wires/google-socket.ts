import { closeCodes } from '../close-code.ts';
import type { LiveLimits } from '../live-limits.ts';
import type { LiveSocket } from '../live-socket.ts';
import { setupComplete } from '../server-frame.ts';
import {
  notResumableFrame,
  readSetup,
  refusalCodeOf,
  saidEndOf,
  shortReason,
  wantsResumption,
  wireCodeOf,
  type Setup,
} from './google-frames.ts';
import type { OpenedSession } from './live-wire.ts';

export interface GoogleSocketOptions {
  readonly limits: Pick<LiveLimits, 'frameBytesMax' | 'frameNodesMax' | 'bufferedBytesMax'>;
  /** Finds or makes the access that the setup of a client asks for. Never rejects. */
  readonly open: (setup: Setup) => Promise<OpenedSession>;
}

/** What the session protocol hears of a client. */
type Hear = (utf8: Buffer | null) => void;

/** What a socket of this wire remembers. */
interface Memory {
  readonly socket: LiveSocket;
  readonly options: GoogleSocketOptions;
  phase: 'first' | 'opening' | 'open' | 'closed';
  /** Frames that came before the session was open: some of these clients do not wait for it. */
  early: readonly Buffer[];
  /** Why the gateway is about to close it. */
  reason: string;
  resumes: boolean;
  hear: Hear;
}

const close = (memory: Memory, code: number, reason: string): void => {
  memory.phase = 'closed';
  memory.early = [];
  memory.socket.close(code, shortReason(reason));
};

/** A first frame that brings a setup becomes one that brings its access; any other is left to the protocol, which refuses it. */
const begin = async (memory: Memory, utf8: Buffer | null): Promise<void> => {
  const { limits, open } = memory.options;
  const small = utf8 !== null && utf8.length <= limits.frameBytesMax;
  const setup = small ? readSetup(utf8, limits.frameNodesMax) : null;
  if (setup === null) return memory.hear(utf8);
  memory.phase = 'opening';
  memory.resumes = wantsResumption(setup);
  const opened = await open(setup);
  // The access that is left over ends by itself, and its hold with it.
  if (memory.phase !== 'opening') return;
  if (opened.kind === 'refused') return close(memory, refusalCodeOf(opened.status), opened.message);
  const { id, accessKey } = opened.credential;
  memory.hear(Buffer.from(JSON.stringify({ id, access_key: accessKey })));
};

/** What an early frame takes of memory beside its text. */
const bytesPerFrame = 512;

const keepEarly = (memory: Memory, utf8: Buffer): void => {
  const early = [...memory.early, utf8];
  const bytes = early.reduce((sum, { length }) => sum + length + bytesPerFrame, 0);
  if (bytes > memory.options.limits.bufferedBytesMax)
    return close(memory, closeCodes.tooLarge, 'Too much was sent before the setup was complete.');
  memory.early = early;
};

const take = (memory: Memory, utf8: Buffer | null): void => {
  if (memory.phase === 'first') return void begin(memory, utf8);
  if (memory.phase === 'opening' && utf8 !== null) return keepEarly(memory, utf8);
  memory.hear(utf8);
};

/** Told after the step under way, so that no step is taken inside another. */
const release = (memory: Memory): void => {
  const { early } = memory;
  memory.early = [];
  queueMicrotask(() => {
    for (const utf8 of early) memory.hear(utf8);
  });
};

const complete = (memory: Memory): void => {
  memory.phase = 'open';
  if (memory.resumes) memory.socket.send(notResumableFrame);
  release(memory);
};

const send = (memory: Memory, text: string | Uint8Array): void => {
  const end = typeof text === 'string' ? saidEndOf(text) : null;
  if (end === null) memory.socket.send(text);
  else {
    memory.reason = end.reason;
    if (end.frame !== null) memory.socket.send(end.frame);
  }
  if (text === setupComplete) complete(memory);
};

/**
 * A client of Google's as the session protocol sees clients: its setup is the access, and the reasons of ends go into the close.
 * Everything else passes as it is, unread.
 */
export const googleSocket = (socket: LiveSocket, options: GoogleSocketOptions): LiveSocket => {
  const memory: Memory = { socket, options, phase: 'first', early: [], reason: '', resumes: false, hear: () => {} };
  return {
    ...socket,
    send: (text) => send(memory, text),
    close: (code) => {
      const reason = code === closeCodes.firstFrameTimeout ? 'No setup came in time.' : memory.reason;
      close(memory, wireCodeOf(code), reason);
    },
    onMessage: (hear) => {
      memory.hear = hear;
      socket.onMessage((utf8) => take(memory, utf8));
    },
    onClose: (listener) =>
      socket.onClose(() => {
        memory.phase = 'closed';
        listener();
      }),
  };
};
