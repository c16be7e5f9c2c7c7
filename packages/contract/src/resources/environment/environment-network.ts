import { z } from 'zod';
import { cameIn, checkOf, faultAt, type OptionCheck } from '../../configuration.ts';
import { environmentBounds, interactionBounds } from '../../limits.ts';

const { allowedDomainsMax } = environmentBounds;
const { headersMax, headerCharsMax } = interactionBounds;

/** Names of hosts, `*.` before one for all below it, or `*` for all. No addresses, no ports. */
const domainPattern =
  /^(?:\*|\*\.(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z][a-z0-9-]{0,61}[a-z0-9]|(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9])$/i;
const domainCharsMax = 255;

/** Headers that say how a message is carried; the sender sets them. */
const carrierHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^`|~0-9A-Za-z-][!#$%&'*+.^_`|~0-9A-Za-z-]{0,127}$/)
  .refine((name) => !carrierHeaders.has(name.toLowerCase()))
  .meta({ description: 'the name of a header, but none that says how a message is carried' });
/** Printable ASCII: nothing that could end a header and begin another. */
const headerValue = z
  .string()
  .max(headerCharsMax)
  .regex(/^[\t\x20-\x7e]*$/)
  .meta({ description: `printable ASCII of at most ${headerCharsMax} characters` });

const AllowedDomain = z.strictObject({
  domain: z.string().max(domainCharsMax).regex(domainPattern).meta({
    description: 'the name of a host, *. before one for all below it, or * for all',
  }),
  transform: z
    .record(headerName, headerValue)
    .refine((headers) => Object.keys(headers).length <= headersMax)
    .exactOptional()
    .meta({ description: 'Headers added to requests for this domain. Their values are never shown again.' }),
});

// environments:body:network-allowlist
/** Where what runs in an environment may go, as a client writes it. */
export const EnvironmentNetworkBody = z.union([
  z.literal('disabled'),
  z.strictObject({ allowlist: z.array(AllowedDomain).max(allowedDomainsMax) }),
]);
export type EnvironmentNetworkBody = Readonly<z.infer<typeof EnvironmentNetworkBody>>;

/** One domain that may be asked. */
export interface NetworkRule {
  /** In lower case; with `*.` before it every name below it, `*` alone every name. */
  readonly domain: string;
  /** Secrets: added to every request for this domain, and never shown. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Where what runs in an environment may go. */
export type EnvironmentNetwork =
  | { readonly kind: 'disabled' }
  | { readonly kind: 'allowlist'; readonly rules: readonly NetworkRule[] };

export const toEnvironmentNetwork = (body: EnvironmentNetworkBody): EnvironmentNetwork =>
  body === 'disabled'
    ? { kind: 'disabled' }
    : {
        kind: 'allowlist',
        rules: body.allowlist.map(({ domain, transform = {} }) => ({
          domain: domain.toLowerCase(),
          headers: { ...transform },
        })),
      };

/** A network as a host writes its default; throws on anything that a client could not write. */
export const parseEnvironmentNetwork = (value: unknown): EnvironmentNetwork =>
  toEnvironmentNetwork(EnvironmentNetworkBody.parse(value));

/** The same as an option; no message repeats a header's value. */
export const environmentNetworkCheck: OptionCheck<EnvironmentNetworkBody> = checkOf((value, place) =>
  EnvironmentNetworkBody.safeParse(value).success
    ? []
    : faultAt(
        place,
        typeof value === 'string' ? cameIn(value) : 'is no network',
        "is 'disabled', or { allowlist: [{ domain, transform? }] } as a client writes it",
      ),
);

const hidden = '***';

// environments:body:network-transform-secret
/** As the record shows it: header values are written and never read. */
export const shownNetwork = (network: EnvironmentNetwork): EnvironmentNetworkBody =>
  network.kind === 'disabled'
    ? 'disabled'
    : {
        allowlist: network.rules.map(({ domain, headers }) => {
          const names = Object.keys(headers);
          if (names.length === 0) return { domain };
          return { domain, transform: Object.fromEntries(names.map((name) => [name, hidden])) };
        }),
      };
