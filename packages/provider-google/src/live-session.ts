import {
  asObject,
  asText,
  createLiveEvents,
  parseJson,
  type CallContext,
  type LiveCall,
  type LiveEvents,
  type LiveMessage,
  type LiveUpstream,
  type UntrustedObject,
} from '@tollgate/provider';
import { openConnection, type ConnectionListener, type LiveConnection } from './live-connection.ts';
import { beginsTurn, setupMessage, toClient } from './live-messages.ts';
import { createLiveSpeech, type LiveSpeech } from './live-speech.ts';
import { createLiveTurns, type LiveTurns } from './live-turns.ts';

export interface LiveSessionOptions {
  readonly url: string;
  /** As the upstream names it. */
  readonly model: string;
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => () => void;
  readonly limits: LiveSessionLimits;
}

export interface LiveSessionLimits {
  /** How long the measure of a turn in hand is waited for at the end. */
  readonly lastWordMs: number;
  /** How long a lost connection may take to be replaced. */
  readonly resumeMs: number;
  /** Bytes that wait while it is. */
  readonly queuedBytesMax: number;
}

interface Session {
  readonly options: LiveSessionOptions;
  readonly call: LiveCall;
  readonly context: CallContext;
  readonly events: LiveEvents;
  readonly turns: LiveTurns;
  readonly speech: LiveSpeech;
  connection: LiveConnection | null;
  /** By which a connection goes on where another one ended; null where the upstream gave none. */
  handle: string | null;
  /** The upstream has said that it will take the connection away. */
  leaving: boolean;
  closing: boolean;
  over: boolean;
  readonly queue: string[];
  queuedBytes: number;
}

const finish = (session: Session, cause: 'ended' | 'lost'): void => {
  if (session.over) return;
  session.over = true;
  const { turns, events, call } = session;
  const owed = turns.isOwed();
  const usage = turns.last();
  if (usage !== null) events.emit({ kind: 'usage', usage });
  void session.connection?.end();
  // Music is measured by its sound, which the gateway counts itself.
  const measured = call.kind === 'music' || (turns.isMeasured() && !owed);
  events.emit({ kind: 'closed', cause, measured });
};

/** Goes on with another connection, the old one having ended: the upstream takes no session up twice. */
const replaceConnection = async (session: Session): Promise<void> => {
  const old = session.connection;
  const { handle, context } = session;
  if (handle === null) return finish(session, 'lost');
  session.connection = null;
  session.leaving = false;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(session.options.limits.resumeMs)]);
  try {
    await old?.end();
    const connection = await openFor(session, { handle }, { ...context, signal });
    if (session.over || session.closing) void connection.end();
    if (session.closing) finish(session, 'ended');
    if (session.over) return;
    use(session, connection);
    for (const text of session.queue.splice(0)) connection.send(text);
    session.queuedBytes = 0;
  } catch {
    finish(session, 'lost');
  }
};

const read = (session: Session, message: UntrustedObject, text: string): void => {
  const { turns, events } = session;
  const update = asObject(message['sessionResumptionUpdate']);
  if (update?.['resumable'] === true) session.handle = asText(update['newHandle']) ?? session.handle;
  if (message['goAway'] !== undefined) session.leaving = true;
  const usage = turns.read(message);
  const relayed = toClient(message, text);
  if (relayed !== null) events.emit({ kind: 'message', message: relayed });
  if (usage !== null) events.emit({ kind: 'usage', usage });
};

const take = (session: Session, utf8: Buffer): void => {
  const { turns, events, speech } = session;
  if (speech.goesOn(utf8)) {
    turns.begin();
    events.emit({ kind: 'bytes', utf8 });
  } else {
    const text = utf8.toString('utf8');
    const message = asObject(parseJson(text));
    if (message === undefined) return;
    read(session, message, text);
    speech.learn(message, utf8);
  }
  if (session.closing && !turns.isOwed()) finish(session, 'ended');
  else if (session.leaving && session.handle !== null && !turns.isOpen()) void replaceConnection(session);
};

const listenerOf = (session: Session, connection: LiveConnection): ConnectionListener => ({
  onMessage: (utf8) => {
    if (!session.over) take(session, utf8);
  },
  onClose: () => {
    // One that was replaced has nothing to say any more.
    if (session.over || session.connection !== connection) return;
    if (session.closing) finish(session, 'ended');
    else if (session.turns.isOpen()) finish(session, 'lost');
    else void replaceConnection(session);
  },
});

const use = (session: Session, connection: LiveConnection): void => {
  session.connection = connection;
  connection.listen(listenerOf(session, connection));
};

const openFor = (
  { options, call }: Pick<Session, 'options' | 'call'>,
  resumption: { readonly handle?: string },
  context: CallContext,
): Promise<LiveConnection> => {
  const setup =
    call.kind === 'music'
      ? setupMessage(options.model, {}, null)
      : setupMessage(options.model, call.config, resumption);
  return openConnection({ url: options.url, setup, now: options.now }, context);
};

const send = (session: Session, message: LiveMessage): void => {
  if (session.over || session.closing) return;
  if (session.call.kind === 'live' && message.audio === undefined && beginsTurn(message)) session.turns.begin();
  if (session.connection === null) {
    session.queue.push(message.text);
    session.queuedBytes += message.text.length;
    if (session.queuedBytes > session.options.limits.queuedBytesMax) finish(session, 'lost');
  } else session.connection.send(message.utf8 ?? message.text);
};

const close = (session: Session): void => {
  if (session.over || session.closing) return;
  session.closing = true;
  if (!session.turns.isOwed()) return finish(session, 'ended');
  // The turn in hand is charged upstream: its measure is worth a little patience.
  session.options.after(session.options.limits.lastWordMs, () => finish(session, 'ended'));
};

/** Opens a session; its connections that end before it does are replaced where the upstream offers that. */
export const openSession = async (
  options: LiveSessionOptions,
  call: LiveCall,
  context: CallContext,
): Promise<LiveUpstream> => {
  const connection = await openFor({ options, call }, {}, context);
  const session: Session = {
    options,
    call,
    context,
    events: createLiveEvents(),
    turns: createLiveTurns(),
    speech: createLiveSpeech(),
    connection: null,
    handle: null,
    leaving: false,
    closing: false,
    over: false,
    queue: [],
    queuedBytes: 0,
  };
  use(session, connection);
  return {
    send: (message) => send(session, message),
    onEvent: session.events.onEvent,
    bufferedBytes: () => (session.connection?.bufferedBytes() ?? 0) + session.queuedBytes,
    close: () => close(session),
  };
};
