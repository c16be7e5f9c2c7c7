/** What a text asks of the upstream, as in `[[sandbox: slow 200]]`. */
export interface Directive {
  readonly name: string;
  readonly rest: string;
}

export const readDirectives = (text: string): readonly Directive[] =>
  Array.from(text.matchAll(/\[\[sandbox: ([a-z-]+)(?: ((?:(?!\]\]).)*))?\]\]/gsu), ([, name = '', rest = '']) => ({
    name,
    rest,
  }));

export const directive = (directives: readonly Directive[], name: string): Directive | undefined =>
  directives.find((one) => one.name === name);

/** The numbers of `tokens in=10 out=5`. */
export const readTokens = (directives: readonly Directive[]): { readonly in: number; readonly out: number } | null => {
  const rest = directive(directives, 'tokens')?.rest;
  if (rest === undefined) return null;
  const of = (name: string): number => Number(new RegExp(`\\b${name}=(\\d+)`, 'u').exec(rest)?.[1] ?? '0');
  return { in: of('in'), out: of('out') };
};
