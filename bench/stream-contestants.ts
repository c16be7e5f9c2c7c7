import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Ports } from './contestants.ts';
import type { TollgateReady, TollgateSetup } from './gateways/tollgate-setup.ts';
import type { RequestSpec } from './load/request-bytes.ts';

/** One row of the table of streams. */
export interface StreamContestant {
  readonly id: string;
  readonly title: string;
  /** Whether it is this project's. */
  readonly ours: boolean;
  /** Whether the first line of its output says how it is asked. */
  readonly announces: boolean;
  /** The command line after `node`, its flags first; null asks the upstream itself. */
  readonly run: ((ports: Ports, databasePath: string) => readonly string[]) | null;
  readonly environment?: Readonly<Record<string, string>>;
  readonly request: (ports: Ports, firstLine: string) => Pick<RequestSpec, 'path' | 'headers' | 'body'>;
  /** How often the end of a stream repeats the whole text, every event of which is counted again (default 0). */
  readonly repeats?: number;
}

const here = (file: string): string => path.join(import.meta.dirname, file);
const portkeyStart = here('peers/node_modules/@portkey-ai/gateway/build/start-server.js');

const question = 'Tell in a few hundred words how a wallet reserves and settles credits. '.repeat(24);
const contents = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: question }] }] });

const upstreamModel = 'gemini-2.5-flash';

/** As the upstream is asked; the pipe passes it on as it is. */
const wireRequest = () => ({
  path: `/v1beta/models/${upstreamModel}:streamGenerateContent?alt=sse`,
  headers: { 'x-goog-api-key': 'sk-mock' },
  body: contents,
});

const tollgate = (id: string, title: string, nodeFlags: readonly string[], more = {}): StreamContestant => ({
  id,
  title,
  ours: true,
  announces: true,
  run: ({ port, upstreamPort }, databasePath) => {
    const storage = { kind: 'sqlite', path: databasePath, synchronous: 'normal' } as const;
    const setup: TollgateSetup = { storage, upstreamPort, upstreamWire: 'gemini', ...more };
    return [...nodeFlags, here('gateways/tollgate.ts'), String(port), JSON.stringify(setup)];
  },
  request: (_ports, firstLine) => {
    // Written by `gateways/tollgate.ts`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { key, model } = JSON.parse(firstLine) as TollgateReady;
    const headers = { authorization: `Bearer ${key}` };
    return { path: `/api/v1/ai/models/${model}:streamGenerateContent?alt=sse`, headers, body: contents };
  },
});

/** The same gateway, asked for the same stream on the wire of other clients. */
const wire = (id: string, title: string, asked: { readonly at: string; readonly body: object }): StreamContestant => ({
  ...tollgate(id, `Tollgate, ${title}`, [], { speaksWires: true }),
  request: (_ports, firstLine) => {
    // Written by `gateways/tollgate.ts`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { key, model } = JSON.parse(firstLine) as TollgateReady;
    const headers = { authorization: `Bearer ${key}` };
    return {
      path: `/api/v1/ai${asked.at}`,
      headers,
      body: JSON.stringify({ model, stream: true, ...asked.body }),
    };
  },
});

const messages = [{ role: 'user', content: question }];

const all: readonly StreamContestant[] = [
  { id: 'direct', title: 'the mock itself', ours: false, announces: false, run: null, request: wireRequest },
  {
    id: 'pipe',
    title: 'bare node:http pipe',
    ours: false,
    announces: false,
    run: ({ port, upstreamPort }) => [here('gateways/pipe.ts'), String(port), String(upstreamPort)],
    request: wireRequest,
  },
  tollgate('normal', 'Tollgate, SQLite NORMAL', []),
  // As docs/scaling.md has Node started where memory matters.
  {
    ...tollgate('small', 'Tollgate, SQLite NORMAL, for little memory', [
      '--max-semi-space-size=4',
      '--heap-growing-percent=10',
    ]),
    environment: { MALLOC_ARENA_MAX: '2' },
  },
  wire('chat', 'chat', { at: '/chat/completions', body: { messages } }),
  wire('messages', 'Messages', { at: '/messages', body: { messages, max_tokens: 8_000 } }),
  {
    ...wire('responses', 'Responses', { at: '/responses', body: { input: question } }),
    // The end of the text, of its part and of its item, and the whole response.
    repeats: 4,
  },
  {
    id: 'portkey',
    title: 'Portkey 1.15.2, Gemini to chat completions',
    ours: false,
    announces: false,
    run: ({ port }) => [portkeyStart, `--port=${port}`, '--headless'],
    request: ({ upstreamPort }) => ({
      path: '/v1/chat/completions',
      headers: {
        authorization: 'Bearer sk-mock',
        'x-portkey-provider': 'google',
        'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/v1beta`,
      },
      body: JSON.stringify({ model: upstreamModel, stream: true, messages: [{ role: 'user', content: question }] }),
    }),
  },
];

/** The rows that were asked for and can be run, and those that are not installed. */
export const chooseStreamContestants = (
  only: readonly string[] | null,
): { readonly chosen: readonly StreamContestant[]; readonly missing: readonly string[] } => {
  const unknown = only?.filter((id) => !all.some((each) => each.id === id)) ?? [];
  if (unknown.length > 0) throw new Error(`no such row: ${unknown.join(', ')}`);
  const wanted = all.filter(({ id }) => only === null || only.includes(id));
  const isThere = ({ id }: StreamContestant): boolean => id !== 'portkey' || existsSync(portkeyStart);
  return {
    chosen: wanted.filter(isThere),
    missing: wanted.filter((each) => !isThere(each)).map(({ title }) => title),
  };
};
