import { isIP } from 'node:net';

export type EgressScheme = 'http' | 'https';

/** Why an address that a client gave is refused. */
export type EgressRefusal =
  /** No absolute address of the accepted form, or one that has to be repaired to be one. */
  | 'malformed'
  | 'scheme'
  | 'port'
  | 'credentials'
  /** A number in place of a name, a name without a dot, or one that is reserved for private use. */
  | 'host'
  /** One of the name's addresses is not public. */
  | 'not_public'
  /** Whoever asked may not go there. */
  | 'not_allowed';

export type EgressUrl =
  | { readonly kind: 'accepted'; readonly url: URL }
  | { readonly kind: 'refused'; readonly reason: EgressRefusal };

const urlCharsMax = 2048;
const hostCharsMax = 253;
/** `URL` drops tabs and line ends, trims spaces and turns backslashes into slashes: what it would repair is refused. */
// oxlint-disable-next-line no-control-regex -- They are what is looked for.
const repairable = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060\ufeff\\]/u;
/** Scheme, authority, rest. `URL` also takes `https:host` and `https:/host`. */
const shape = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/iu;
const authorityShape = /^([a-z0-9._-]+)(?::\d{1,6})?$/iu;
const labelShape = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/u;
/** Names that never belong to the public DNS, or that networks use for themselves. */
const privateSuffixes = new Set([
  'alt',
  'arpa',
  'corp',
  'example',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'private',
  'test',
]);

const refused = (reason: EgressRefusal): EgressUrl => ({ kind: 'refused', reason });

/** A name of the public DNS: two labels at least, none of a private kind; a final dot would be another spelling of it. */
const isPublicName = (hostname: string): boolean => {
  if (hostname.length > hostCharsMax || isIP(hostname) !== 0) return false;
  const labels = hostname.split('.');
  return (
    labels.length > 1 && labels.every((label) => labelShape.test(label)) && !privateSuffixes.has(labels.at(-1) ?? '')
  );
};

/** What is wrong with the part between the slashes, which `URL` would tidy up. */
const authorityFault = (authority: string): EgressRefusal | undefined => {
  if (authority.includes('@')) return 'credentials';
  if (authority.startsWith('[')) return 'host';
  return authorityShape.test(authority) ? undefined : 'malformed';
};

const parsed = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/**
 * Reads an address that a client or a model gave: absolute, of an accepted scheme on its own port, without credentials,
 * and with a name of the public DNS for a host, never a number in any spelling [webhooks:create:url-https]. Says nothing of
 * where the name leads; that is asked before every connection.
 */
export const parseEgressUrl = (text: string, schemes: readonly EgressScheme[]): EgressUrl => {
  if (text.length > urlCharsMax || repairable.test(text)) return refused('malformed');
  const [, scheme = '', authority] = shape.exec(text) ?? [];
  if (authority === undefined) return refused('malformed');
  if (!schemes.some((accepted) => accepted === scheme.toLowerCase())) return refused('scheme');
  const fault = authorityFault(authority);
  if (fault !== undefined) return refused(fault);
  const url = parsed(text);
  if (url === undefined) return refused('malformed');
  if (url.port !== '') return refused('port');
  // A number in disguise comes out of `URL` as another text than went in.
  if (!isPublicName(url.hostname)) return refused('host');
  return { kind: 'accepted', url };
};
