import { asArray, asObject, asText } from '@tollgate/provider';

/** A longer chain of causes is cut here. */
const causesMax = 5;
/** Of one cause. */
const causeCharactersMax = 1_000;
/** Of a list, such as the codes of an upstream's error. */
const wordsMax = 5;

/** A credential that an error repeats. Providers cut out their own key; this is for what other libraries throw. */
const credentials = /\b((?:bearer|basic)\s+|[?&](?:key|api_key|access_token)=)[^\s"'&,;]+/gi;

const isDefined = (text: string): boolean => text !== '';

const wordOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
};

const words = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value.slice(0, wordsMax) : [value]).map(wordOf).filter(isDefined);

/** What an error or an upstream's error says of itself: nothing but these fields is read, since others may hold requests. */
const describe = (cause: unknown): string => {
  const fields = asObject(cause);
  if (fields === undefined) return words(cause).join('; ');
  const status = wordOf(fields['status'] ?? fields['statusCode']);
  const codes = words(fields['codes'] ?? fields['code'] ?? fields['finishReason']);
  const name = asText(fields['name']) ?? '';
  const head = [name, isDefined(status) ? `status ${status}` : '', ...codes].filter(isDefined).join(', ');
  // Node gathers the failures of several addresses under an error without a text.
  const message = asText(fields['message']) ?? asText(asObject(asArray(fields['errors'])[0])?.['message']) ?? '';
  return [head, message].filter(isDefined).join(': ');
};

const lineOf = (cause: unknown): string => {
  const text = describe(cause).replaceAll(credentials, '$1[hidden]');
  return text.length > causeCharactersMax ? `${text.slice(0, causeCharactersMax)}…` : text;
};

/** The chain of causes of what was thrown, one text each, the outermost first. Stacks are not in it. */
export const causeLines = (thrown: unknown): readonly string[] => {
  const lines: string[] = [];
  let current = thrown;
  for (let depth = 0; depth < causesMax && current !== undefined && current !== null; depth += 1) {
    lines.push(lineOf(current));
    current = asObject(current)?.['cause'];
  }
  return lines.filter(isDefined);
};
