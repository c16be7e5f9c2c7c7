import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openaiProvider } from '../../packages/provider-openai/src/index.ts';
import { startGateway, type RunningGateway } from '../../test/clients/running-gateway.ts';
import {
  startScriptedUpstream,
  type AskedChat,
  type Reply,
  type ScriptedUpstream,
  type ToolCall,
} from './scripted-upstream.ts';

/** Where one session of an agent takes place. */
export interface Place {
  /** Holds its configuration, and nothing of the user who runs this. */
  readonly home: string;
  /** The project it works in. */
  readonly work: string;
  readonly baseUrl: string;
  readonly key: string;
}

/** How an agent is started, without a terminal, with its configuration made beforehand. */
export interface Agent {
  /** The package, as the table names it. */
  readonly name: string;
  /** Where its requests go, below the gateway's base path. */
  readonly path: string;
  /** Requests of a session with one turn of tools: two, and those that the agent makes for itself. */
  readonly requests: number;
  /** The call of its own tool that reads a file of the project. */
  readonly reading: (place: Place, file: string) => ToolCall;
  /** The call of its own tool that writes a file of the project, for an agent whose session ends with that. */
  readonly writing?: (place: Place, file: string, text: string) => ToolCall;
  /** The status of the refusal when the balance is too low (default 402). */
  readonly refusal?: number;
  /** Files of its configuration, by path below its home. */
  readonly files: (place: Place) => Readonly<Record<string, unknown>>;
  readonly command: (place: Place, prompt: string) => readonly string[];
  readonly env?: (place: Place) => Readonly<Record<string, string>>;
}

export interface Session {
  readonly exitCode: number | null;
  readonly output: string;
  readonly errors: string;
  readonly upstream: ScriptedUpstream;
  readonly running: RunningGateway;
  /** What the account was charged for the whole session. */
  readonly chargedMicros: bigint;
  /** What stands in the report; null where none was written. */
  readonly written: string | null;
}

/** Files of the project. No agent learns what they hold but by reading them. */
const notes = { 'first.txt': 'heron-4711', 'second.txt': 'ibis-0815' } as const;
/** What a session ends with. */
export const finalText = `I have read: ${Object.values(notes).join(', ')}.`;
/** What an agent that writes has written, when its session ends. */
export const report = { file: 'report.txt', text: 'heron-4711 and ibis-0815' } as const;
const prompt = 'Read the files first.txt and second.txt, and tell me the codes that stand in them.';
const sessionMsMax = 120_000;

const textIn = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** So many turns in which both files are read at once, then what the last results hold; questions without tools get a word. */
const scriptOf =
  (agent: Agent, turns: number, place: () => Place) =>
  ({ messages, tools = [] }: AskedChat): Reply => {
    const calls = Object.keys(notes).map((file) => agent.reading(place(), file));
    if (!tools.some((tool) => tool.function.name === calls[0]?.name)) return { kind: 'text', text: 'Notes' };
    const results = messages.filter(({ role }) => role === 'tool');
    const readings = turns * calls.length;
    if (results.length < readings) return { kind: 'calls', calls };
    if (agent.writing !== undefined && results.length === readings)
      return { kind: 'calls', calls: [agent.writing(place(), report.file, report.text)] };
    // Some agents send the results in the order in which the tools ended.
    const read = results
      .slice(readings - calls.length, readings)
      .map(({ content }) => /[a-z]+-\d{4}/.exec(textIn(content))?.[0] ?? 'nothing')
      .toSorted();
    return { kind: 'text', text: `I have read: ${read.join(', ')}.` };
  };

const prepare = (agent: Agent, place: Place): void => {
  for (const folder of [place.home, place.work]) mkdirSync(folder, { recursive: true });
  for (const [file, code] of Object.entries(notes))
    writeFileSync(path.join(place.work, file), `The code is ${code}.\n`);
  for (const [name, content] of Object.entries(agent.files(place))) {
    const file = path.join(place.home, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
};

const run = async (agent: Agent, place: Place): Promise<Pick<Session, 'exitCode' | 'output' | 'errors'>> => {
  const [file = '', ...args] = agent.command(place, prompt);
  const child = spawn(file, args, {
    cwd: place.work,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: sessionMsMax,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: place.home,
      XDG_CONFIG_HOME: path.join(place.home, '.config'),
      XDG_DATA_HOME: path.join(place.home, '.local/share'),
      XDG_CACHE_HOME: path.join(place.home, '.cache'),
      XDG_STATE_HOME: path.join(place.home, '.local/state'),
      DO_NOT_TRACK: '1',
      NO_COLOR: '1',
      ...agent.env?.(place),
    },
  });
  const read = { output: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (read.output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (read.errors += text));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { exitCode, ...read };
};

/** What the price list of test mode charges for one answer: 1,000 tokens in and 100 out, at 1 and 4 credits per million. */
export const answerMicros = 1_400n;

const balanceOf = async ({ gateway, accountId }: RunningGateway): Promise<bigint> => {
  const wallet = await gateway.admin.readWallet(accountId);
  if (wallet === null) throw new Error('no wallet');
  return wallet.balanceMicros;
};

export interface SessionPlan {
  /** How often both files are read before the model says what they hold. */
  readonly turns: number;
  /** What the upstream replies to every question, in place of the script of a session. */
  readonly reply?: Reply;
  /** The agent's key; by default one of an account in funds. */
  readonly keyOf?: (running: RunningGateway) => Promise<string>;
}

/** Runs one session of an agent: it reads two files by its own tool, in so many turns, and says what stands in them. */
export const runSession = async (
  agent: Agent,
  { turns, reply, keyOf }: SessionPlan,
  judge: (session: Session) => void | Promise<void>,
): Promise<void> => {
  const root = mkdtempSync(path.join(tmpdir(), 'tollgate-agent-'));
  const places: Place[] = [];
  const script = scriptOf(agent, turns, () => {
    const [place] = places;
    if (place === undefined) throw new Error('asked before it was started');
    return place;
  });
  const upstream = await startScriptedUpstream((chat) => reply ?? script(chat));
  // Google's agent sends topK with each request.
  const provider = openaiProvider({ baseUrl: upstream.url, apiKey: 'upstream', timeoutMs: 30_000, topK: 'sent' });
  const running = await startGateway({
    options: { provider, compatibility: { openai: true, google: true, anthropic: true } },
  });
  const place = {
    home: path.join(root, 'home'),
    work: path.join(root, 'work'),
    baseUrl: running.baseUrl,
    key: (await keyOf?.(running)) ?? running.key,
  };
  places.push(place);
  try {
    prepare(agent, place);
    const before = await balanceOf(running);
    const ended = await run(agent, place);
    const chargedMicros = before - (await balanceOf(running));
    const file = path.join(place.work, report.file);
    const written = existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
    await judge({ ...ended, upstream, running, chargedMicros, written });
  } finally {
    await running.close();
    await upstream.close();
    rmSync(root, { recursive: true, force: true });
  }
};
