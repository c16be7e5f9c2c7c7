import { isIP } from 'node:net';

export type EgressScheme = 'http' | 'https';

/** Why an address that a client gave is refused. */
export type EgressRefusal =
  /** No absolute address of the accepted form, or one that has to be repaired to be one. */
  | 'malformed'
  | 'scheme'
  | 'port'
  | 'credentials'
  /** A number in place of a name, in any spelling. */
  | 'ip_address'
  /** Characters or lengths that no name of the DNS has, or an international name without an ASCII form of its own. */
  | 'host_name'
  /** A name without a dot, or one that is reserved for private use. */
  | 'host'
  /** One of the name's addresses is not public. */
  | 'not_public'
  /** The caller may not connect there. */
  | 'not_allowed';

export type EgressUrl =
  | { readonly kind: 'accepted'; readonly url: URL }
  | { readonly kind: 'refused'; readonly reason: EgressRefusal };

const urlCharsMax = 2048;
const hostCharsMax = 253;
/** Of one part of a name, between its full stops. */
export const labelCharsMax = 63;
/** `URL` drops tabs and line ends, trims spaces and turns backslashes into slashes: what it would repair is refused. */
// oxlint-disable-next-line no-control-regex -- They are what is looked for.
const repairable = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060\ufeff\\]/u;
/** Scheme, authority, rest. `URL` also takes `https:host` and `https:/host`. */
const shape = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/iu;
/** Host, and what follows the colon behind it. */
const authorityShape = /^([^:]*)(?::(.*))?$/su;
const portShape = /^\d{1,6}$/u;
const portOf: Readonly<Record<EgressScheme, number>> = { http: 80, https: 443 };
const labelShape = /^(?!-)[a-z0-9_-]+(?<!-)$/u;
const asciiLabel = /^[a-z0-9_-]+$/iu;
/** Letters, marks and digits of any script: what an international name is written in. */
const internationalLabel = /^[\p{L}\p{M}\p{N}_-]+$/u;
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

/** Labels as the DNS has them; a final dot would be another spelling of the name. */
const isName = (hostname: string): boolean =>
  hostname.length <= hostCharsMax &&
  hostname.split('.').every((label) => label.length <= labelCharsMax && labelShape.test(label));

/** A name of the public DNS: two labels at least, none of a private kind. */
const isPublicName = (hostname: string): boolean => {
  const labels = hostname.split('.');
  return labels.length > 1 && !privateSuffixes.has(labels.at(-1) ?? '');
};

/**
 * Whether the ASCII form is that of the host as it was written: a label of another script becomes one of `xn--`. What `URL`
 * makes something else of, such as wide digits and dots of other scripts, is a second spelling of another name.
 */
const isFormOf = (hostname: string, host: string): boolean => {
  const labels = hostname.split('.');
  const written = host.split('.');
  return (
    labels.length === written.length &&
    written.every((label, at) => {
      const form = labels[at] ?? '';
      return asciiLabel.test(label)
        ? form === label.toLowerCase()
        : internationalLabel.test(label) && form.startsWith('xn--');
    })
  );
};

const isNumber = /^(?:0x[0-9a-f]*|[0-9]+)$/iu;

/** Whether the host is a number, or `URL` takes it for one: by its last label. */
const isNumeric = (host: string): boolean => isNumber.test(host.split('.').at(-1) ?? '');

/** What is wrong with the part between the slashes, which `URL` would tidy up. */
const authorityFault = (authority: string, scheme: EgressScheme): EgressRefusal | undefined => {
  if (authority.includes('@')) return 'credentials';
  if (authority.startsWith('[')) return 'ip_address';
  const [, host = '', port] = authorityShape.exec(authority) ?? [];
  if (host === '') return 'malformed';
  if (port !== undefined && !(portShape.test(port) && Number(port) === portOf[scheme])) return 'port';
  return isNumeric(host) ? 'ip_address' : undefined;
};

const hostFault = (hostname: string, authority: string): EgressRefusal | undefined => {
  // A number in disguise comes out of `URL` as one.
  if (isIP(hostname) !== 0) return 'ip_address';
  const [, host = ''] = authorityShape.exec(authority) ?? [];
  if (!isName(hostname) || !isFormOf(hostname, host)) return 'host_name';
  return isPublicName(hostname) ? undefined : 'host';
};

const parsed = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

// webhooks:create:url-https
/**
 * Reads an address that a client or a model gave: absolute, of an accepted scheme on its own port, without credentials,
 * and with a name of the public DNS for a host, never a number in any spelling. An international
 * name stands for its ASCII form, which the result holds. Says nothing of where the name leads; that is asked before every
 * connection.
 */
export const parseEgressUrl = (text: string, schemes: readonly EgressScheme[]): EgressUrl => {
  if (text.length > urlCharsMax || repairable.test(text)) return refused('malformed');
  const [, scheme = '', authority] = shape.exec(text) ?? [];
  if (authority === undefined) return refused('malformed');
  const accepted = schemes.find((one) => one === scheme.toLowerCase());
  if (accepted === undefined) return refused('scheme');
  const fault = authorityFault(authority, accepted);
  if (fault !== undefined) return refused(fault);
  const url = parsed(text);
  // All but the host has been read by now.
  if (url === undefined) return refused('host_name');
  const wrong = hostFault(url.hostname, authority);
  return wrong === undefined ? { kind: 'accepted', url } : refused(wrong);
};
