// The response of an example as a page shows it.
import { asRecord } from './json-object.ts';
import { code } from './markdown.ts';
import type { Example } from './run-examples.ts';
import { jsonText } from './snippets.ts';

/** Numbers of a vector that are shown. */
const numbersShown = 3;
/** Records of a list that are shown. */
const recordsShown = 1;
/** Events of a stream that are shown of its beginning and of its end. */
const eventsShown = 2;

const secrets = new Set(['signing_secret', 'access_key']);

const isNumbers = (value: readonly unknown[]): boolean => value.every((one) => typeof one === 'number');

/** A value without what only fills the page; `cut` is called where something is left out. */
const shortened = (value: unknown, cut: () => void, name = ''): unknown => {
  if (secrets.has(name)) return '…';
  if (Array.isArray(value)) {
    const most = isNumbers(value) ? numbersShown : name === 'data' ? recordsShown : value.length;
    if (value.length > most) cut();
    return value.slice(0, most).map((one: unknown) => shortened(one, cut));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, shortened(one, cut, field)]));
};

const jsonResponse = ({ body, route }: Example): readonly string[] => {
  const isDescription = route === 'getOpenApi';
  const parsed: unknown = JSON.parse(body);
  const { openapi, info, servers } = asRecord(parsed);
  let isCut = isDescription;
  const shown = isDescription ? { openapi, info, servers } : shortened(parsed, () => (isCut = true));
  return [...(isCut ? ['Shortened:', ''] : []), ...code('json', jsonText(shown))];
};

const eventResponse = ({ body }: Example): readonly string[] => {
  const events = body.trim().split('\n\n');
  const shown = events.length > 2 * eventsShown;
  const lines = shown ? [...events.slice(0, eventsShown), '…', ...events.slice(-eventsShown)] : events;
  return code('text', lines.join('\n\n'));
};

export const shownResponse = (example: Example): readonly string[] => {
  if (example.contentType.startsWith('application/json')) return jsonResponse(example);
  if (example.contentType.startsWith('text/event-stream')) return eventResponse(example);
  return [`The content type is \`${example.contentType}\`.`, ''];
};
