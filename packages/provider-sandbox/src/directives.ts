import { isPricedTier, usageUnits, type ServiceTier, type UsageUnit } from '@tollgate/provider';
import { directiveTable, isDirectiveName, type DirectiveName, type DirectivePlace } from './directive-table.ts';
import { blockReasons, finishDetails } from './ending.ts';
import { runSmallPython } from './small-python.ts';

export type Directive =
  | { readonly kind: 'echo'; readonly text: string }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'tool'; readonly name: string; readonly arguments: string }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'stream'; readonly pieces: number; readonly pauseMs: number }
  | { readonly kind: 'cut'; readonly pieces: number }
  | { readonly kind: 'finish' | 'block'; readonly reason: string }
  | { readonly kind: 'tokens'; readonly counts: { readonly [name: string]: number } }
  | { readonly kind: 'tier'; readonly served: ServiceTier | null }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'hang'; readonly ms: number | null }
  | { readonly kind: 'rate-limited'; readonly retryAfterMs: number }
  | { readonly kind: 'processing'; readonly queries: number }
  | { readonly kind: 'polls'; readonly count: number }
  | { readonly kind: BareDirective }
  /** Stands like a directive but is none, or is none of this place. */
  | { readonly kind: 'misspelt'; readonly text: string };

/** The directives that take no argument. */
type BareDirective =
  | 'url'
  | 'length'
  | 'filter'
  | 'unknown-usage'
  | 'unknown'
  | 'fail'
  | 'unavailable'
  | 'invalid'
  | 'input-limit'
  | 'file-fail'
  | 'drop'
  | 'go-away';

/** The longest wait that a prompt can ask for: ten minutes. */
const directiveWaitMsMax = 600_000;

/** The most pieces that a prompt can ask for. */
const directivePiecesMax = 100_000;

/** How many directives of one text are read. */
export const directivesMax = 100;

const opening = '[[sandbox:';
const closing = ']]';

/** Reads the directives of a text, in order. */
export const parseDirectives = (text: string, place: DirectivePlace = 'generation'): readonly Directive[] =>
  findDirectives(text).map(({ bodyStart, bodyEnd }) => {
    const body = text.slice(bodyStart, bodyEnd).trim();
    return parseDirective(body, place) ?? { kind: 'misspelt', text: body };
  });

/** The text that is left when its directives are taken out. */
export const withoutDirectives = (text: string): string => {
  let left = '';
  let from = 0;
  for (const { bodyStart, bodyEnd } of findDirectives(text)) {
    left += text.slice(from, bodyStart - opening.length);
    from = bodyEnd + closing.length;
  }
  return (left + text.slice(from)).trim();
};

interface Found {
  readonly bodyStart: number;
  readonly bodyEnd: number;
}

const findDirectives = (text: string): readonly Found[] => {
  const found: Found[] = [];
  let start = text.indexOf(opening);
  while (start >= 0 && found.length < directivesMax) {
    const bodyStart = start + opening.length;
    const bodyEnd = findEnd(text, bodyStart);
    found.push({ bodyStart, bodyEnd });
    start = text.indexOf(opening, bodyEnd);
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
    else if (depth === 0 && text.startsWith(closing, at)) return at;
  }
  return text.length;
};

const parseDirective = (body: string, place: DirectivePlace): Directive | undefined => {
  const [, name = '', rest = ''] = /^(\S+)\s*([^]*)$/.exec(body) ?? [];
  if (!isDirectiveName(name)) return undefined;
  const places: readonly DirectivePlace[] = directiveTable[name].places;
  return places.includes(place) ? parseArguments(name, rest) : undefined;
};

const parseArguments = (name: DirectiveName, rest: string): Directive | undefined => {
  switch (name) {
    case 'echo':
      return { kind: name, text: rest };
    case 'json':
      return isJsonObject(rest) ? { kind: name, text: rest } : undefined;
    case 'tool':
      return parseTool(rest);
    case 'code':
      return parseCode(rest);
    case 'stream':
      return parseStream(rest);
    case 'cut':
      return withNumber(rest, (number) => ({ kind: name, pieces: number }));
    case 'finish':
      return finishDetails.has(rest) ? { kind: name, reason: rest } : undefined;
    case 'block':
      return blockReasons.has(rest || 'SAFETY') ? { kind: name, reason: rest || 'SAFETY' } : undefined;
    case 'tokens':
      return parseTokens(rest);
    case 'tier':
      return parseTier(rest);
    case 'slow':
      return withNumber(rest, (number) => ({ kind: name, ms: Math.min(number, directiveWaitMsMax) }));
    case 'hang':
      if (rest === '') return { kind: name, ms: null };
      return withNumber(rest, (number) => ({ kind: name, ms: Math.min(number, directiveWaitMsMax) }));
    case 'rate-limited':
      return /^\d{0,5}$/.test(rest) ? { kind: name, retryAfterMs: Number(rest || '1') * 1_000 } : undefined;
    case 'polls':
      return withNumber(rest, (count) => ({ kind: name, count }));
    case 'processing':
      return withNumber(rest, (number) => ({ kind: name, queries: number }));
    case 'url':
    case 'length':
    case 'filter':
    case 'unknown-usage':
    case 'unknown':
    case 'fail':
    case 'unavailable':
    case 'invalid':
    case 'input-limit':
    case 'file-fail':
    case 'drop':
    case 'go-away':
      return rest === '' ? { kind: name } : undefined;
  }
};

const withNumber = (text: string, toDirective: (number: number) => Directive): Directive | undefined =>
  /^\d{1,6}$/.test(text) ? toDirective(Number(text)) : undefined;

const parseTool = (rest: string): Directive | undefined => {
  const [, name, json = ''] = /^([^\s{]+)\s*([^]*)$/.exec(rest) ?? [];
  if (name === undefined || (json !== '' && !isJsonObject(json))) return undefined;
  return { kind: 'tool', name, arguments: json === '' ? '{}' : json };
};

/** A program whose output the sandbox could not tell for certain is refused, so that no output that it shows is invented. */
const parseCode = (rest: string): Directive | undefined => {
  const code = rest || 'print(6 * 7)';
  return runSmallPython(code) === undefined ? undefined : { kind: 'code', code };
};

const parseStream = (rest: string): Directive | undefined => {
  const [, pieces, pauseMs = '0'] = /^(\d{1,6})(?:\s+(\d{1,6}))?$/.exec(rest) ?? [];
  if (pieces === undefined || Number(pieces) < 1 || Number(pieces) > directivePiecesMax) return undefined;
  return { kind: 'stream', pieces: Number(pieces), pauseMs: Math.min(Number(pauseMs), directiveWaitMsMax) };
};

/** The short names of the units that are asked for most. */
const shortUnits: ReadonlyMap<string, UsageUnit> = new Map([
  ['in', 'input_text_tokens'],
  ['out', 'output_text_tokens'],
  ['cached', 'cached_input_tokens'],
  ['thoughts', 'thought_tokens'],
  ['image', 'input_image_tokens'],
  ['audio', 'input_audio_tokens'],
  ['video', 'input_video_tokens'],
  ['document', 'input_document_tokens'],
]);

/** The unit that a `tokens` directive names, by its short name or in full. */
export const namedUnit = (name: string): UsageUnit | undefined =>
  shortUnits.get(name) ?? usageUnits.find((unit) => unit === name);

const parseTokens = (rest: string): Directive | undefined => {
  const counts = new Map<string, number>();
  const units = new Set<UsageUnit>();
  for (const pair of rest.split(/\s+/)) {
    const [, name = '', quantity] = /^(\w+)=(\d{1,12})$/.exec(pair) ?? [];
    const unit = namedUnit(name);
    if (unit === undefined || units.has(unit)) return undefined;
    units.add(unit);
    counts.set(name, Number(quantity));
  }
  return { kind: 'tokens', counts: Object.fromEntries(counts) };
};

const parseTier = (rest: string): Directive | undefined => {
  if (rest === 'none') return { kind: 'tier', served: null };
  return rest === 'standard' || isPricedTier(rest) ? { kind: 'tier', served: rest } : undefined;
};

const isJsonObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};
