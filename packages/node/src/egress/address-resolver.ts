import { Resolver } from 'node:dns/promises';

/** Returns the IPv4 addresses of a name; throws where there are none, or no server answers. */
export type ResolveAddresses = (hostname: string) => Promise<readonly string[]>;

export interface AddressResolverOptions {
  /** How long one try may take. */
  readonly tryMs?: number;
  readonly triesMax?: number;
  /** `address:port` of the name servers; by default those of the system. */
  readonly servers?: readonly string[];
}

const tryMsDefault = 2000;
const triesMaxDefault = 2;

/**
 * Asks the DNS for A records and nothing else: no hosts file, no search list, and not through the thread pool, where slow
 * names of strangers would hold up files and hashes.
 */
export const createAddressResolver = (options: AddressResolverOptions = {}): ResolveAddresses => {
  const { tryMs = tryMsDefault, triesMax = triesMaxDefault, servers } = options;
  const resolver = new Resolver({ timeout: tryMs, tries: triesMax });
  if (servers !== undefined) resolver.setServers(servers);
  return (hostname) => resolver.resolve4(hostname);
};
