import { quoted } from './quoted.ts';

/** The channel on which processes on one schema tell each other that there is something to look at. */
export const notifyChannel = (schema: string): string => `${schema}_wake`;

/** An identifier, hence quoted: LISTEN takes no parameter. */
export const listenSql = (schema: string): string => `LISTEN ${quoted(notifyChannel(schema))}`;
