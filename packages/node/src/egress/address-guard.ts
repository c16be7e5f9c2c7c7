import { createAddressResolver, type ResolveAddresses } from './address-resolver.ts';
import { parseEgressUrl, type EgressRefusal, type EgressScheme, type EgressUrl } from './egress-url.ts';
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

type Addresses = Pick<CheckedUrl, 'kind' | 'addresses'> | Exclude<AddressVerdict, CheckedUrl>;

const judge = async (resolve: ResolveAddresses, hostname: string): Promise<Addresses> => {
  let addresses: readonly string[] = [];
  try {
    addresses = await resolve(hostname);
  } catch {
    // Why a name has no addresses is not reported reliably; that it has none is enough.
  }
  if (addresses.length === 0) return { kind: 'unresolved' };
  return addresses.every(isPublicAddress) ? { kind: 'checked', addresses } : { kind: 'refused', reason: 'not_public' };
};

/** Requests that ask for a name while it is being resolved share the answer: it came after each of them had asked. */
const shareLookups = (resolve: ResolveAddresses): ((hostname: string) => Promise<Addresses>) => {
  const underWay = new Map<string, Promise<Addresses>>();
  return (hostname) => {
    const known = underWay.get(hostname);
    if (known !== undefined) return known;
    const asked = judge(resolve, hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, asked);
    return asked;
  };
};

/** Texts of addresses whose reading is remembered, at the most. */
const rememberedMax = 512;

/** Reads a text once where it comes again, as those of webhooks do. */
const createReader = (schemes: readonly EgressScheme[]): ((text: string) => EgressUrl) => {
  const read = new Map<string, EgressUrl>();
  return (text) => {
    const known = read.get(text);
    if (known !== undefined) return known;
    if (read.size >= rememberedMax) read.clear();
    const url = parseEgressUrl(text, schemes);
    if (url.kind === 'accepted') read.set(text, url);
    return url;
  };
};

// webhooks:create:url-public-ipv4
/**
 * A guard that lets requests out to the public internet only: every address of a name has to be public, so that one answer
 * among many leads nowhere else.
 */
export const createAddressGuard = (options: AddressGuardOptions = {}): AddressGuard => {
  const { schemes = ['https'], resolve = createAddressResolver() } = options;
  const read = createReader(schemes);
  const addressesOf = resolve === 'elsewhere' ? null : shareLookups(resolve);
  return {
    check: async (text) => {
      const parsed = read(text);
      if (parsed.kind === 'refused') return parsed;
      const { url } = parsed;
      if (addressesOf === null) return { kind: 'checked', url, addresses: [] };
      const found = await addressesOf(url.hostname);
      return found.kind === 'checked' ? { kind: 'checked', url, addresses: found.addresses } : found;
    },
  };
};
