/** One event of a stream: its name, or null, and its data. */
export interface StreamEvent {
  readonly event: string | null;
  readonly data: string;
}

const fieldsOf = (block: string, name: string): readonly string[] =>
  block
    .split('\n')
    .filter((line) => line.startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).replace(/^ /u, ''));

/** The events of a whole stream, in order; comments are left out. */
export const readEvents = (text: string): readonly StreamEvent[] =>
  text
    .replaceAll('\r\n', '\n')
    .split('\n\n')
    .map((block) => ({ event: fieldsOf(block, 'event')[0] ?? null, data: fieldsOf(block, 'data').join('\n') }))
    .filter(({ event, data }) => event !== null || data !== '');
