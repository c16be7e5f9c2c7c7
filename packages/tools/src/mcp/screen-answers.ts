import { scanJson } from '@tollgate/contract';
import type { GuardedFetch } from '@tollgate/node';
import { readEvents } from '@tollgate/sse';
import type { McpLimits } from './mcp-limits.ts';

/** Objects and lists inside one another, in one answer. */
const answerDepthMax = 64;
/** Of the values and field names of one answer, one in so many may be a field name that differs from the others. */
const nodesPerName = 10;
/** Events of one answer before its response: progress, log lines, and requests that are dropped. */
const eventsMax = 1_000;
/** What the client reads of an answer that is an error, in bytes, and in values and field names. */
const errorBytesMax = 65_536;
const errorNodesMax = 200;

type Id = string | number;

/** What is left of the limits of one connection. */
interface Budget {
  requests: number;
  bytes: number;
  nodes: number;
  entries: number;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The id of the request in a body, or null: the body is a notification. */
const requestIdOf = (body: unknown): Id | null => {
  if (typeof body !== 'string') return null;
  const message: unknown = JSON.parse(body);
  if (!isRecord(message) || typeof message['method'] !== 'string') return null;
  const { id } = message;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};

const isResponseTo = (message: unknown, id: Id): message is Readonly<Record<string, unknown>> =>
  isRecord(message) && message['id'] === id && !('method' in message);

/** Every entry costs a check by a schema of several forms, so entries have a bound of their own. */
const takeEntries = ({ result }: Readonly<Record<string, unknown>>, budget: Budget): void => {
  if (!isRecord(result)) return;
  for (const list of [result['tools'], result['content']]) if (Array.isArray(list)) budget.entries -= list.length;
  if (budget.entries < 0) throw new TypeError('The server lists too many tools or pieces of a result');
};

/** The response in the text of an answer, as text, or null. Throws where the text holds more than may be parsed. */
const responseIn = (text: string, id: Id, budget: Budget): string | null => {
  const bounds = {
    nodesMax: budget.nodes,
    namesMax: Math.floor(budget.nodes / nodesPerName),
    depthMax: answerDepthMax,
  };
  const scanned = scanJson(Buffer.from(text), bounds);
  if (typeof scanned === 'string') throw new TypeError(`The answer holds too many ${scanned}`);
  budget.nodes -= scanned.nodes;
  const parsed: unknown = JSON.parse(text);
  const response = (Array.isArray(parsed) ? parsed : [parsed]).find((message) => isResponseTo(message, id));
  if (response === undefined) return null;
  takeEntries(response, budget);
  return Array.isArray(parsed) ? JSON.stringify(response) : text;
};

async function* withinBudget(body: AsyncIterable<Uint8Array>, budget: Budget): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    budget.bytes -= chunk.byteLength;
    if (budget.bytes < 0) throw new TypeError('The answers of the server are too long');
    yield chunk;
  }
}

const readText = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** The response among the events of a stream; what follows it is not read. */
const responseAmong = async (
  body: AsyncIterable<Uint8Array>,
  id: Id,
  budget: Budget,
  eventBytesMax: number,
): Promise<string | null> => {
  let events = 0;
  for await (const { data } of readEvents(body, { eventBytesMax })) {
    events += 1;
    if (events > eventsMax) throw new TypeError('The answer holds too many events');
    const response = data === '' ? null : responseIn(data, id, budget);
    if (response !== null) return response;
  }
  return null;
};

/** An error as far as the client reads it. */
const errorText = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > errorBytesMax) return '';
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const bounds = { nodesMax: errorNodesMax, namesMax: errorNodesMax, depthMax: answerDepthMax };
  return typeof scanJson(bytes, bounds) === 'string' ? '' : bytes.toString();
};

const mediaTypeOf = (response: Response): string =>
  (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const withBody = ({ status, headers }: Response, body: string, mediaType: string): Response => {
  const kept = new Headers(headers);
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) kept.delete(name);
  kept.set('content-type', mediaType);
  return new Response(body, { status, headers: kept });
};

const screen = async (response: Response, id: Id, budget: Budget, answerBytesMax: number): Promise<Response> => {
  const { body } = response;
  if (body === null) return response;
  const mediaType = mediaTypeOf(response);
  if (!response.ok) return withBody(response, await errorText(body), mediaType);
  const isStream = mediaType === 'text/event-stream';
  if (!isStream && mediaType !== 'application/json') {
    await body.cancel();
    return withBody(response, '', mediaType);
  }
  const chunks = withinBudget(body, budget);
  const found = isStream
    ? await responseAmong(chunks, id, budget, answerBytesMax)
    : responseIn(await readText(chunks), id, budget);
  if (found === null) throw new TypeError('The server did not respond to the request');
  return withBody(response, found, 'application/json');
};

/**
 * What the client of the protocol may see of a server's answers, for one connection: the response to each of its requests, and
 * nothing else. Requests and notifications of the server are dropped. An answer is counted before it is parsed: its bytes, values,
 * field names, depth, tools and pieces, against limits over all answers. Beyond a limit it throws a `TypeError`, as `fetch` does.
 */
export const screenAnswers = (fetch: GuardedFetch, limits: McpLimits): GuardedFetch => {
  const budget: Budget = {
    requests: limits.requestsMax,
    bytes: limits.answersBytesSum,
    nodes: limits.answersNodesSum,
    entries: limits.entriesSum,
  };
  return async (url, init) => {
    budget.requests -= 1;
    if (budget.requests < 0) throw new TypeError('The server takes too many requests');
    const id = requestIdOf(init?.body);
    const response = await fetch(url, init);
    if (id !== null) return screen(response, id, budget, limits.answerBytesMax);
    await response.body?.cancel();
    return new Response(null, { status: response.status, headers: response.headers });
  };
};
