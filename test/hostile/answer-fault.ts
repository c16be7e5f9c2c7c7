import { ErrorObject, ErrorText, errorTable } from '../../packages/contract/src/index.ts';
import type { HostileAnswer, RouteRow } from './route-world.ts';

const codes: Readonly<Record<string, { readonly status: number } | undefined>> = errorTable;

/** What no message may hold: words of the code, of its libraries and of what lies under it. */
const internals =
  /node_modules|\.ts\b|\.js\b|zod|sqlite|postgres|stack|Error|undefined|\[object|packages\/|sandbox|SELECT|INSERT|\/tmp|\/home/i;
/** What not even an answer may hold that repeats what the client sent. */
const traces = /node_modules|\bat \w[\w.]* \(|\.ts:\d+|SQLITE_|relation "|\/home\//;
/** The name of a field of the client may be repeated, and a field of the contract be named; what is looked for is our own. */
const namedField =
  /(?:The field|In requests\[\d+\]\.request: The field) \S+(?: \S+)? (?=is|has|holds|must|needs)|The field \S+|known kind \(.*\)|\bis_error\b/g;
const messageCharsMax = 600;

const faultOfMessage = (message: string): string | null => {
  if (message.length > messageCharsMax || !/^[\x20-\x7e]+$/.test(message)) return `text ${message.slice(0, 200)}`;
  return internals.test(message.replaceAll(namedField, '')) ? `message ${message}` : null;
};

const faultOfError = ({ status, headers, text }: HostileAnswer, form: RouteRow['errorForm']): string | null => {
  if (headers.get('content-type')?.startsWith('application/json') !== true) return 'the content type of an error';
  const body: unknown = JSON.parse(text);
  if (form === 'text') {
    const parsed = ErrorText.safeParse(body);
    return parsed.success ? faultOfMessage(parsed.data.error) : `form ${text.slice(0, 200)}`;
  }
  const parsed = ErrorObject.safeParse(body);
  if (!parsed.success) return `form ${text.slice(0, 200)}`;
  const { code, message, request_id: requestId } = parsed.data.error;
  if (codes[code]?.status !== status) return `code ${code} with ${status}`;
  if (requestId !== undefined && requestId !== headers.get('x-request-id')) return 'another request id';
  return faultOfMessage(message);
};

const faultOfEvents = (text: string): string | null => {
  const events = text.split('\n\n');
  if (events.pop() !== '') return 'a stream that was cut';
  for (const event of events) {
    const data = /^(?:event: content\.completed\n)?data: ([^\n]+)$/.exec(event)?.[1];
    if (data === undefined) return `an event ${event.slice(0, 100)}`;
    if (data !== '[DONE]') JSON.parse(data);
  }
  return events.at(-1) === 'data: [DONE]' ? null : 'a stream without its end';
};

const faultOfSuccess = (row: RouteRow, { headers, text }: HostileAnswer): string | null => {
  const type = headers.get('content-type')?.split(';', 1)[0] ?? '';
  if (type === 'text/event-stream') return faultOfEvents(text);
  const contents: RouteRow['success']['contents'] = row.success.contents;
  if (type !== 'application/json') return type in contents ? null : `content type ${type}`;
  const schema = new Map(Object.entries(contents)).get(type);
  if (schema === undefined) return 'JSON where there is none';
  const parsed = schema('service').safeParse(JSON.parse(text));
  return parsed.success ? null : `record ${parsed.error.message.slice(0, 300)}`;
};

/**
 * What is wrong with an answer of a route; null where it is one of those that the contract knows. Nothing is documented to be
 * unavailable in these tests: a status of 500 or more is a fault.
 */
export const faultOf = (row: RouteRow, answer: HostileAnswer, keys: readonly string[]): string | null => {
  const { status, headers, text } = answer;
  const statuses: readonly number[] = row.statuses;
  if (headers.get('cache-control') !== 'no-store' || headers.get('x-request-id') === null) return 'headers';
  if (!statuses.includes(status) || status >= 500 || status === 401) return `status ${status} ${text.slice(0, 200)}`;
  const wire = `${text}\n${[...headers].map(([name, value]) => `${name}: ${value}`).join('\n')}`;
  if (keys.some((key) => wire.includes(key))) return 'a key';
  const trace = traces.exec(wire);
  if (trace !== null) return `a trace ${trace[0]}`;
  return status < 400 ? faultOfSuccess(row, answer) : faultOfError(answer, row.errorForm);
};
