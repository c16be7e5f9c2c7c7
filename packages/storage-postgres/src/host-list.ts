import { isDatabaseAddress } from '@tollgate/contract/configuration';

/** The hosts of one connection string at the most. */
export const hostsMax = 16;

/** Scheme, credentials, hosts and the rest. A host is never empty in a list: the driver would go to one of its own choice. */
const address = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)(.*)$/su;

/**
 * One connection string for each host of a list as libpq writes it, `postgres://user@a:5432,b:5432/database`, in its order.
 * What names one host stays as it is.
 */
export const splitHosts = (connectionString: string): readonly string[] => {
  const [, scheme, credentials, hosts, rest] = address.exec(connectionString) ?? [];
  if (hosts === undefined) return [connectionString];
  return hosts.split(',').map((host) => `${scheme}${credentials}${host}${rest}`);
};

/** What of libpq's `target_session_attrs` says what a storage does anyway. */
const primaryWords = new Set(['primary', 'read-write']);

const isSoundAddress = (one: string): boolean => {
  if (!URL.canParse(one) || one.includes('#')) return false;
  const { hostname, searchParams } = new URL(one);
  return hostname !== '' && primaryWords.has(searchParams.get('target_session_attrs') ?? 'primary');
};

/** Whether a connection string can be used: one that names several hosts must name each, and ask for the primary. */
export const isSoundHostList = (connectionString: string): boolean => {
  const addresses = splitHosts(connectionString);
  if (addresses.length === 1) return isDatabaseAddress(connectionString);
  return addresses.length <= hostsMax && addresses.every(isSoundAddress);
};
