/**
 * What a prompt can ask of the sandbox. Directives stand anywhere in the last user text, as `[[sandbox: <directive>]]`;
 * several may stand in one text. One that is misspelt is refused, so that a rehearsal never passes by accident.
 */
export interface DirectiveRow {
  readonly form: string;
  /** What happens, as a sentence for the documentation. */
  readonly effect: string;
}

/** Every directive, by name, in the order in which the documentation lists them. */
export const directiveTable = {
  echo: { form: 'echo <text>', effect: 'Answers with exactly this text.' },
  json: { form: 'json <JSON object>', effect: 'Answers with exactly this JSON text.' },
  tool: {
    form: 'tool <name> [<JSON object>]',
    effect: 'Proposes a call of this function with these arguments; several make parallel calls.',
  },
  length: { form: 'length', effect: 'Answers half of the text and says that it was cut at the output limit.' },
  filter: { form: 'filter', effect: 'Answers that the content was refused: no text, finish reason content_filter.' },
  tokens: {
    form: 'tokens [in=<n>] [out=<n>] [cached=<n>] [thoughts=<n>]',
    effect:
      'Reports exactly these text tokens as measured, also more than the output limit, to rehearse an overrun; what is left out is zero.',
  },
  'unknown-usage': {
    form: 'unknown-usage',
    effect: 'Answers, but without any usage: the operation becomes uncertain.',
  },
  slow: { form: 'slow <milliseconds>', effect: 'Waits that long, then does the rest.' },
  hang: {
    form: 'hang [<milliseconds>]',
    effect: 'Is silent until the gateway gives up, or for that long; then the outcome is unknown.',
  },
  unknown: { form: 'unknown', effect: 'Loses the answer at once: the outcome is unknown and the operation uncertain.' },
  fail: { form: 'fail', effect: 'Fails for certain: nothing is charged.' },
  unavailable: { form: 'unavailable', effect: 'Cannot be reached: nothing is charged.' },
  'rate-limited': {
    form: 'rate-limited [<seconds>]',
    effect: 'Is out of quota and asks to come back after that many seconds (default 1): nothing is charged.',
  },
  invalid: { form: 'invalid', effect: 'Refuses the content: nothing is charged.' },
  'input-limit': { form: 'input-limit', effect: 'Refuses the input as too large: nothing is charged.' },
} as const satisfies { readonly [name: string]: DirectiveRow };

export type DirectiveName = keyof typeof directiveTable;

export type Directive =
  | { readonly kind: 'echo'; readonly text: string }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'tool'; readonly name: string; readonly arguments: string }
  | { readonly kind: 'tokens'; readonly counts: { readonly [name: string]: number } }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'hang'; readonly ms: number | null }
  | { readonly kind: 'rate-limited'; readonly retryAfterMs: number }
  | {
      readonly kind:
        | 'length'
        | 'filter'
        | 'unknown-usage'
        | 'unknown'
        | 'fail'
        | 'unavailable'
        | 'invalid'
        | 'input-limit';
    }
  /** Stands like a directive but is none. */
  | { readonly kind: 'misspelt'; readonly text: string };

/** The longest wait that a prompt can ask for: ten minutes. */
const directiveWaitMsMax = 600_000;

/** How many directives of one text are read. */
export const directivesMax = 100;

const opening = '[[sandbox:';

/** Reads the directives of a text, in order. */
export const parseDirectives = (text: string): readonly Directive[] => {
  const found: Directive[] = [];
  let start = text.indexOf(opening);
  while (start >= 0 && found.length < directivesMax) {
    const bodyStart = start + opening.length;
    const end = findEnd(text, bodyStart);
    const body = text.slice(bodyStart, end).trim();
    found.push(parseDirective(body) ?? { kind: 'misspelt', text: body });
    start = text.indexOf(opening, end);
  }
  return found;
};

/** The first `]]` outside of braces and of strings within them, so that JSON may hold brackets; the end where none stands. */
const findEnd = (text: string, from: number): number => {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '\\') at += 1;
    else if (depth > 0 && character === '"') quoted = !quoted;
    else if (!quoted && character === '{') depth += 1;
    else if (!quoted && character === '}') depth = Math.max(0, depth - 1);
    else if (depth === 0 && text.startsWith(']]', at)) return at;
  }
  return text.length;
};

const parseDirective = (body: string): Directive | undefined => {
  const [, name = '', rest = ''] = /^(\S+)\s*([^]*)$/.exec(body) ?? [];
  switch (name) {
    case 'echo':
      return { kind: name, text: rest };
    case 'json':
      return isJsonObject(rest) ? { kind: name, text: rest } : undefined;
    case 'tool':
      return parseTool(rest);
    case 'tokens':
      return parseTokens(rest);
    case 'slow':
      return /^\d{1,6}$/.test(rest) ? { kind: name, ms: Math.min(Number(rest), directiveWaitMsMax) } : undefined;
    case 'hang':
      if (rest === '') return { kind: name, ms: null };
      return /^\d{1,6}$/.test(rest) ? { kind: name, ms: Math.min(Number(rest), directiveWaitMsMax) } : undefined;
    case 'rate-limited':
      return /^\d{0,5}$/.test(rest) ? { kind: name, retryAfterMs: Number(rest || '1') * 1_000 } : undefined;
    case 'length':
    case 'filter':
    case 'unknown-usage':
    case 'unknown':
    case 'fail':
    case 'unavailable':
    case 'invalid':
    case 'input-limit':
      return rest === '' ? { kind: name } : undefined;
    default:
      return undefined;
  }
};

const parseTool = (rest: string): Directive | undefined => {
  const [, name, json = ''] = /^([^\s{]+)\s*([^]*)$/.exec(rest) ?? [];
  if (name === undefined || (json !== '' && !isJsonObject(json))) return undefined;
  return { kind: 'tool', name, arguments: json === '' ? '{}' : json };
};

const parseTokens = (rest: string): Directive | undefined => {
  const pairs = rest.split(/\s+/).map((pair) => /^(in|out|cached|thoughts)=(\d{1,12})$/.exec(pair));
  if (pairs.includes(null)) return undefined;
  const counts = Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', Number(pair?.[2])]));
  return { kind: 'tokens', counts };
};

const isJsonObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};
