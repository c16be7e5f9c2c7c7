import type { Environment } from './environment.ts';

/** Where to listen: this machine alone, unless HOST says otherwise. Port 0 takes a free one. */
export const addressOf = ({ HOST: host = '127.0.0.1', PORT: port = '8787' }: Environment) => ({
  host,
  port: Number(port),
});
