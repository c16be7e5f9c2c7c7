import { createAddressResolver, type ResolveAddresses } from './address-resolver.ts';
import { parseEgressUrl, type EgressRefusal, type EgressScheme } from './egress-url.ts';
import { isPublicAddress } from './public-address.ts';

/** An address that may be connected to, now. */
export interface CheckedUrl {
  readonly kind: 'checked';
  readonly url: URL;
  /** Every address that its name has, all of them public; none where the host's own agent resolves names. */
  readonly addresses: readonly string[];
}

export type AddressVerdict =
  | CheckedUrl
  | { readonly kind: 'refused'; readonly reason: EgressRefusal }
  /** The name has no IPv4 address, or no server answered for it. */
  | { readonly kind: 'unresolved' };

export interface AddressGuardOptions {
  /** By default `https` alone. */
  readonly schemes?: readonly EgressScheme[] | undefined;
  /** By default the DNS of the system. `elsewhere` where an agent of the host resolves, checks and connects in our place. */
  readonly resolve?: ResolveAddresses | 'elsewhere' | undefined;
}

/** Decides whether an address that a client or a model gave may be connected to. */
export interface AddressGuard {
  /** To be asked before every connection, which goes to one of the addresses of the verdict and to no other. */
  readonly check: (url: string) => Promise<AddressVerdict>;
}

const addressesOf = async (resolve: ResolveAddresses, hostname: string): Promise<readonly string[]> => {
  try {
    return await resolve(hostname);
  } catch {
    // Why a name has no addresses is not reported reliably; that it has none is enough.
    return [];
  }
};

/**
 * A guard that lets requests out to the public internet only: every address of a name has to be public, so that one answer
 * among many leads nowhere else [webhooks:create:url-public-ipv4].
 */
export const createAddressGuard = (options: AddressGuardOptions = {}): AddressGuard => {
  const { schemes = ['https'], resolve = createAddressResolver() } = options;
  return {
    check: async (text) => {
      const parsed = parseEgressUrl(text, schemes);
      if (parsed.kind === 'refused') return parsed;
      const { url } = parsed;
      if (resolve === 'elsewhere') return { kind: 'checked', url, addresses: [] };
      const addresses = await addressesOf(resolve, url.hostname);
      if (addresses.length === 0) return { kind: 'unresolved' };
      if (!addresses.every(isPublicAddress)) return { kind: 'refused', reason: 'not_public' };
      return { kind: 'checked', url, addresses };
    },
  };
};
