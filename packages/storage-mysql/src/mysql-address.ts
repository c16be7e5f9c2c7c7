import { flag, oneOf, optionsCheck, text } from '@tollgate/contract/configuration';

/** How a connection is encrypted. Certificates and keys are texts in PEM. */
export interface TlsSettings {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3';
  readonly rejectUnauthorized?: boolean;
  readonly verifyIdentity?: boolean;
}

export interface MysqlAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Null for a connection that is not encrypted. */
  readonly tls: TlsSettings | null;
}

/** The end of a sentence that says what an address is. */
export const acceptedAddress =
  'is mysql://user:password@host:3306/database, with special characters in it percent-encoded (# as %23, @ as %40), and with no parameter but ssl';

const portDefault = 3_306;

const tlsCheck = optionsCheck<TlsSettings>({
  ca: text(),
  cert: text(),
  key: text(),
  passphrase: text({ isSecret: true }),
  minVersion: oneOf('TLSv1.2', 'TLSv1.3'),
  rejectUnauthorized: flag(),
  verifyIdentity: flag(),
});

const isTls = (value: unknown): value is TlsSettings => tlsCheck.faultsOf(value, 'ssl').length === 0;

/** `true`, or an object in JSON. Throws where it is neither. */
const parseTls = (written: string): TlsSettings => {
  const value: unknown = JSON.parse(written);
  if (value === true) return {};
  if (!isTls(value)) throw new Error('the settings of ssl are not known');
  return value;
};

/** An address in brackets is one of IPv6; the driver takes it without them. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/u, '$1');

const portOf = ({ port }: URL): number => (port === '' ? portDefault : Number(port));

/** Everything behind an `#` would be dropped, and the driver ignores the parameters that it does not know, as `ssl-mode`. */
const isWhole = ({ protocol, hostname, href, searchParams }: URL): boolean =>
  protocol === 'mysql:' &&
  hostname !== '' &&
  !href.includes('#') &&
  [...searchParams.keys()].every((name) => name === 'ssl') &&
  searchParams.size <= 1;

/** Null where the text is not such an address. No error of a parser goes on: it would repeat the password. */
export const parseAddress = (connectionString: string): MysqlAddress | null => {
  const url = URL.parse(connectionString);
  if (url === null || !isWhole(url)) return null;
  const written = url.searchParams.get('ssl');
  try {
    const database = decodeURIComponent(url.pathname.slice(1));
    if (database === '' || url.pathname.includes('/', 1)) return null;
    return {
      host: hostOf(url),
      port: portOf(url),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database,
      tls: written === null ? null : parseTls(written),
    };
  } catch {
    return null;
  }
};

/** The same user, password and database at another host, written as `host:port`. */
export const addressAt = (address: MysqlAddress, host: string): MysqlAddress => {
  const url = new URL(`mysql://${host}`);
  return { ...address, host: hostOf(url), port: portOf(url) };
};

/** Host and port, for messages. */
export const placeOf = ({ host, port }: MysqlAddress): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
