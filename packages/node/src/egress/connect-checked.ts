import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { CheckedUrl } from './address-guard.ts';

/** Opens a connection to one of the checked addresses. */
export type ConnectChecked = (target: CheckedUrl) => Socket;

/** The ports of the two schemes, of which no other is accepted. */
export const portOf = ({ protocol }: URL): number => (protocol === 'https:' ? 443 : 80);

/** Returns what was checked instead of asking again: between two returns a name can move. */
const pinnedTo =
  ([first]: readonly string[]): LookupFunction =>
  (_hostname, _options, callback) => {
    if (first === undefined) callback(new Error('Nothing was checked'), '');
    else callback(null, first, 4);
  };

/**
 * Connects to the first address. With a family, Node tries no second one: for that it would replace the handle of a socket that
 * TLS has wrapped by then, which ends the process.
 */
export const connectToAddresses: ConnectChecked = (target) =>
  connectTcp({
    host: target.url.hostname,
    port: portOf(target.url),
    family: 4,
    lookup: pinnedTo(target.addresses),
  });

/** What an encrypted connection is opened with. */
export interface TlsTrust {
  /** Certificates that are trusted in place of the public ones, in PEM. */
  readonly certificates?: string;
}

/** The name stays the name for the certificate and for the server that has many, whatever address is connected to. */
export const openSocket = (target: CheckedUrl, connect: ConnectChecked, trust: TlsTrust): Socket => {
  const socket = connect(target);
  if (target.url.protocol !== 'https:') return socket;
  const { certificates } = trust;
  return connectTls({
    socket,
    servername: target.url.hostname,
    ALPNProtocols: ['http/1.1'],
    ...(certificates !== undefined && { ca: certificates }),
  });
};
