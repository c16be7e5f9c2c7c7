import { isRecord, type EnvironmentNetwork, type NetworkRule } from '@tollgate/contract';
import type { Engine } from '../../engine.ts';
import type { TextSeal } from '../../access/seal-text.ts';

/** One domain as a record holds it: what only its servers may see is sealed. */
interface SealedRule {
  readonly domain: string;
  readonly sealedHeaders: string | null;
}

/** The network of an environment as its record holds it. */
export type SealedNetwork =
  | { readonly kind: 'disabled' }
  | { readonly kind: 'allowlist'; readonly rules: readonly SealedRule[] };

/** What the record of an environment keeps beside what it shows; written here alone. */
export interface EnvironmentWork {
  readonly network: SealedNetwork;
}

const isEnvironmentWork = (work: unknown): work is EnvironmentWork => isRecord(work) && isRecord(work['network']);

export const sealNetwork = (seal: TextSeal, network: EnvironmentNetwork): SealedNetwork =>
  network.kind === 'disabled'
    ? network
    : {
        kind: 'allowlist',
        rules: network.rules.map(({ domain, headers }) => ({
          domain,
          sealedHeaders: Object.keys(headers).length === 0 ? null : seal.seal(JSON.stringify(headers)),
        })),
      };

const openRule = (seal: TextSeal, { domain, sealedHeaders }: SealedRule): NetworkRule => ({
  domain,
  // Sound: `sealNetwork` alone seals with this purpose, and what it sealed cannot be altered.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  headers: sealedHeaders === null ? {} : (JSON.parse(seal.open(sealedHeaders)) as NetworkRule['headers']),
});

/** Where what runs in environments may go; to be asked before every call that leaves the gateway for one. */
export interface EnvironmentNetworks {
  /** Of an environment that can be used, else null: then nothing may be asked. */
  readonly find: (environmentId: string) => Promise<EnvironmentNetwork | null>;
}

export const environmentNetworks = (engine: Engine, seal: TextSeal): EnvironmentNetworks => ({
  find: async (id) => {
    const records = await engine.storage.read([{ table: 'resource', id }]);
    const resource = records.get('resource', id);
    if (resource?.kind !== 'environment' || resource.availability !== 'active') return null;
    if (!isEnvironmentWork(resource.work)) return null;
    const { network } = resource.work;
    return network.kind === 'disabled'
      ? network
      : { kind: 'allowlist', rules: network.rules.map((rule) => openRule(seal, rule)) };
  },
});

const covers = (domain: string, host: string): boolean =>
  domain === '*' || (domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain);

export type NetworkVerdict =
  | { readonly kind: 'refused' }
  /** The headers are added to the request, in place of any of the same name. */
  | { readonly kind: 'allowed'; readonly headers: Readonly<Record<string, string>> };

/** A name with a dot at its end is the same name. */
const hostOf = (url: URL): string => url.hostname.toLowerCase().replace(/\.$/, '');

/**
 * Whether an environment may ask an address, and with which headers. Where several domains cover it, the first one counts. Secrets
 * go over TLS alone: an address without it is asked without headers, and only where its domain has none.
 */
export const networkVerdict = (network: EnvironmentNetwork | null, url: URL): NetworkVerdict => {
  if (network === null || network.kind === 'disabled') return { kind: 'refused' };
  const host = hostOf(url);
  const rule = network.rules.find(({ domain }) => covers(domain, host));
  if (rule === undefined) return { kind: 'refused' };
  const isBare = Object.keys(rule.headers).length === 0;
  return url.protocol === 'https:' || isBare ? { kind: 'allowed', headers: rule.headers } : { kind: 'refused' };
};
