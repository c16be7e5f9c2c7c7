import type { ServerEvent } from './server-event.ts';

/** The fields of the event that is being read, and the id that outlives it. */
export interface EventBlock {
  name: string;
  /** The data lines so far, joined; null where there is none. */
  data: string | null;
  lastId: string;
  /** Whether fields of an unfinished event are held. */
  open: boolean;
}

export const startBlock = (): EventBlock => ({ name: '', data: null, lastId: '', open: false });

const takeData = (block: EventBlock, value: string): void => {
  block.data = block.data === null ? value : `${block.data}\n${value}`;
};

const takeField = (block: EventBlock, name: string, value: string): void => {
  // `retry` speaks of the connection, not of an event; our readers never reconnect, so it is ignored like unknown names.
  if (name === 'data') takeData(block, value);
  else if (name === 'event') block.name = value;
  else if (name === 'id' && !value.includes('\0')) block.lastId = value;
};

const dispatch = (block: EventBlock): ServerEvent | undefined => {
  const { name, data, lastId } = block;
  block.name = '';
  block.data = null;
  block.open = false;
  if (data === null) return undefined;
  // Nearly every event is this, and there are many.
  if (name === '' && lastId === '') return { data };
  return { event: name !== '' ? name : undefined, data, id: lastId !== '' ? lastId : undefined };
};

/**
 * Takes one line without its line end, by the line rules of the WHATWG event stream and without its byte rules. A blank line
 * returns the finished event, if there is one.
 */
export const takeLine = (block: EventBlock, line: string): ServerEvent | undefined => {
  if (line === '') return dispatch(block);
  block.open = true;
  // Nearly every line is this.
  if (line.startsWith('data: ')) {
    takeData(block, line.slice('data: '.length));
    return undefined;
  }
  const colon = line.indexOf(':');
  if (colon === 0) return undefined;
  if (colon < 0) takeField(block, line, '');
  else takeField(block, line.slice(0, colon), line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1));
  return undefined;
};
