import type { ServerEvent } from './server-event.ts';

/** The fields of the event that is being read, and the id that outlives it. */
export interface EventBlock {
  /** Takes one line without its line end; a blank line answers the finished event, if there is one. */
  takeLine(line: string): ServerEvent | undefined;
  /** True while fields of an unfinished event are held. */
  isOpen(): boolean;
}

interface Fields {
  name: string;
  /** The data lines so far, joined; null where there is none. */
  data: string | null;
  lastId: string;
  open: boolean;
}

const takeData = (fields: Fields, value: string): void => {
  fields.data = fields.data === null ? value : `${fields.data}\n${value}`;
};

const takeField = (fields: Fields, name: string, value: string): void => {
  // `retry` speaks of the connection, not of an event; our readers never reconnect, so it is ignored like unknown names.
  if (name === 'data') takeData(fields, value);
  else if (name === 'event') fields.name = value;
  else if (name === 'id' && !value.includes('\0')) fields.lastId = value;
};

const dispatch = (fields: Fields): ServerEvent | undefined => {
  const { name, data, lastId } = fields;
  fields.name = '';
  fields.data = null;
  fields.open = false;
  if (data === null) return undefined;
  // Nearly every event is this, and there are many.
  if (name === '' && lastId === '') return { data };
  return { ...(name !== '' && { event: name }), data, ...(lastId !== '' && { id: lastId }) };
};

/** The line rules of the WHATWG event stream, without its byte rules. */
export const createEventBlock = (): EventBlock => {
  const fields: Fields = { name: '', data: null, lastId: '', open: false };
  return {
    takeLine: (line) => {
      if (line === '') return dispatch(fields);
      fields.open = true;
      // Nearly every line is this.
      if (line.startsWith('data: ')) {
        takeData(fields, line.slice('data: '.length));
        return undefined;
      }
      const colon = line.indexOf(':');
      if (colon === 0) return undefined;
      if (colon < 0) takeField(fields, line, '');
      else takeField(fields, line.slice(0, colon), line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1));
      return undefined;
    },
    isOpen: () => fields.open,
  };
};
