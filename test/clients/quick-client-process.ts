import { streamClients, type ClientTarget } from './stream-clients.ts';

/** One reading that the test asks for. */
export interface Reading {
  readonly client: string;
  readonly target: ClientTarget;
  readonly prompt: string;
}

/** What came of it: the text that the client read, or null where it reported an error. */
export interface Outcome {
  readonly outcome: string | null;
}

// The client warns on the console about what it finds odd; the tests say it already.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

/** Waits up to this long are between two attempts; longer ones are time-outs of a request. */
const betweenAttemptsMsMax = 120_000;
// The one difference from these libraries in any other process: what they wait for between two attempts is over at once.
globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
  apply: (wait, self, [run, ms, ...args]: readonly unknown[]): unknown =>
    Reflect.apply(wait, self, [run, Number(ms) > betweenAttemptsMsMax ? ms : 0, ...args]),
});

// `@google/generative-ai`, on which one of LangChain's clients is built, leaves a second promise of a broken stream without a handler.
process.on('unhandledRejection', () => {});

const tell = (outcome: string | null): void => void process.send?.({ outcome } satisfies Outcome);

process.on('message', (message) => {
  // Sent by `quick-clients.ts`.
  const { client, target, prompt } = message as Reading;
  const found = streamClients.find(({ name }) => name === client);
  if (found === undefined) throw new Error(`no client ${client}`);
  // A client that throws at once reports an error like others.
  const reading = Promise.resolve().then(() => found.read(target, prompt));
  void reading.then(tell, () => tell(null));
});
