import { asObject, asText, type JsonObject, type UntrustedObject } from '@tollgate/provider';

const passedOn = ['safetyRatings', 'citationMetadata', 'groundingMetadata', 'urlContextMetadata'] as const;

/** Members that show the upstream's page furniture or its own handles. */
const furniture = new Set([
  'searchEntryPoint',
  'search_suggestions',
  'googleMapsWidgetContextToken',
  'widgetContextToken',
  'widget_context_token',
]);
const upstreamWords = /gemini|gemma|google|vertex|palm|bard/i;
/** The upstream's own redirecting addresses, which name it and end with its session. */
const upstreamAddress = /^https?:\/\/[^/]*(?:vertexaisearch|generativelanguage)[^/]*\//i;

/** The same without what names the upstream or furnishes its pages. */
export const neutral = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(neutral);
  const object = asObject(value);
  if (object === undefined) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(object)) {
    const named = furniture.has(name) || upstreamWords.test(name);
    const addressed = typeof member === 'string' && upstreamAddress.test(member);
    if (!named && !addressed) kept[name] = neutral(member);
  }
  return kept;
};

/** Whether a candidate tells of anything beside its content and its end. */
export const hasFindings = (candidate: UntrustedObject): boolean =>
  candidate['finishMessage'] !== undefined || passedOn.some((name) => candidate[name] !== undefined);

/** What the contract passes on of a candidate beside its content, without the names of the upstream. */
export const readAnnotations = (candidate: UntrustedObject): JsonObject => {
  const annotations: Record<string, unknown> = {};
  for (const name of passedOn) {
    const value = candidate[name];
    if (typeof value === 'object' && value !== null) annotations[name] = neutral(value);
  }
  const message = asText(candidate['finishMessage']);
  if (message !== undefined && !upstreamWords.test(message)) annotations['finishMessage'] = message;
  return annotations;
};
