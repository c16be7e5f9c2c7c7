import { directive, type Directive } from './read-directives.ts';

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** No response of the gateway may repeat this word of its upstream. */
export const upstreamSecret = 'Wolkenkuckucksheim';

const refusals: Readonly<Record<string, readonly [status: number, code: string]>> = {
  fail: [500, 'server_error'],
  unavailable: [503, 'overloaded'],
  invalid: [400, 'invalid_value'],
  'input-limit': [400, 'context_length_exceeded'],
  'rate-limited': [429, 'rate_limit_exceeded'],
};

/** The error by which the upstream refuses, where a directive wants one. */
export const refusalOf = (directives: readonly Directive[]): Refusal | null => {
  for (const [name, [status, code]] of Object.entries(refusals)) {
    const found = directive(directives, name);
    if (found === undefined) continue;
    const headers = name === 'rate-limited' ? { 'retry-after': found.rest || '1' } : {};
    return { status, code, message: `${upstreamSecret}: ${name}`, headers };
  }
  return null;
};
