import type { VNode } from 'preact';
import { Field, type ReadField } from '../dialog.ts';
import { html } from '../html.ts';

/** What a limiter allows; null where there are no limits. */
export type Rates = Readonly<Record<string, number>> | null;

const rates = [
  ['requests_per_minute', 'Requests a minute'],
  ['tokens_per_minute', 'Tokens a minute'],
  ['concurrent_requests', 'Requests at once'],
] as const;

/** What the form says of the rates; null where it names none. */
export const ratesOf = (read: ReadField): Rates => {
  const given = rates.flatMap(([name]) => (read(name) === '' ? [] : [[name, Number(read(name))] as const]));
  return given.length === 0 ? null : Object.fromEntries(given);
};

/** Rates in words. */
export const ratesText = (limits: Rates): string =>
  limits === null
    ? 'none'
    : rates
        .flatMap(([name, label]) => (limits[name] === undefined ? [] : [`${label}: ${limits[name].toLocaleString()}`]))
        .join(', ');

/** A field for each rate. */
export const RateFields = ({ limits }: { readonly limits: Rates }): VNode =>
  html`${rates.map(
    ([name, label]) =>
      html`<${Field} name=${name} label=${label} type="number" min="1" defaultValue=${limits?.[name] ?? ''} />`,
  )}`;
