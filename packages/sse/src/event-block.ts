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
  data: string[];
  lastId: string;
  open: boolean;
}

const takeField = (fields: Fields, name: string, value: string): void => {
  // `retry` speaks of the connection, not of an event; our readers never reconnect, so it is ignored like unknown names.
  if (name === 'data') fields.data.push(value);
  else if (name === 'event') fields.name = value;
  else if (name === 'id' && !value.includes('\0')) fields.lastId = value;
};

const dispatch = (fields: Fields): ServerEvent | undefined => {
  const { name, data, lastId } = fields;
  fields.name = '';
  fields.data = [];
  fields.open = false;
  if (data.length === 0) return undefined;
  return { ...(name !== '' && { event: name }), data: data.join('\n'), ...(lastId !== '' && { id: lastId }) };
};

/** The line rules of the WHATWG event stream, without its byte rules. */
export const createEventBlock = (): EventBlock => {
  const fields: Fields = { name: '', data: [], lastId: '', open: false };
  return {
    takeLine: (line) => {
      if (line === '') return dispatch(fields);
      fields.open = true;
      const colon = line.indexOf(':');
      if (colon === 0) return undefined;
      if (colon < 0) takeField(fields, line, '');
      else takeField(fields, line.slice(0, colon), line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1));
      return undefined;
    },
    isOpen: () => fields.open,
  };
};
