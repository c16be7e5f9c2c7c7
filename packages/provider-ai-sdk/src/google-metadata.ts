import type { LanguageModelV4FinishReason, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import {
  asArray,
  asObject,
  asText,
  type GenerationEnd,
  type JsonObject,
  type UntrustedObject,
} from '@tollgate/provider';

/** Members of Google's metadata that the contract passes on. */
const passedOn = ['safetyRatings', 'groundingMetadata', 'urlContextMetadata'] as const;

/** Members that show the upstream's page furniture or its own handles. */
const furniture = new Set(['searchEntryPoint', 'googleMapsWidgetContextToken', 'widgetContextToken']);
const upstreamWords = /gemini|gemma|google|vertex/i;
/** The upstream's own redirecting addresses, which name it and end with its session. */
const upstreamAddress = /^https?:\/\/[^/]*(?:vertexaisearch|generativelanguage)[^/]*\//i;

/** The upstream names most pages by an address of its own, and by their host. */
const hostName = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/i;

/** A page by an address that is not the upstream's own; undefined where it has none. */
export const neutralPage = (
  url: string,
  title: string | undefined,
): { readonly url: string; readonly title: string | undefined } | undefined => {
  if (!upstreamAddress.test(url)) return { url, title };
  return title !== undefined && hostName.test(title) ? { url: `https://${title}/`, title } : undefined;
};

const neutral = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(neutral);
  const object = asObject(value);
  if (object === undefined) return value;
  const kept = Object.entries(object).filter(
    ([name, member]) =>
      !furniture.has(name) &&
      !upstreamWords.test(name) &&
      !(typeof member === 'string' && upstreamAddress.test(member)),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, neutral(member)]));
};

const readAnnotations = (google: UntrustedObject): JsonObject => {
  const annotations: Record<string, unknown> = {};
  for (const name of passedOn) {
    const value = google[name];
    if (typeof value === 'object' && value !== null) annotations[name] = neutral(value);
  }
  const message = asText(google['finishMessage']);
  if (message !== undefined && !upstreamWords.test(message)) annotations['finishMessage'] = message;
  return annotations;
};

/** Reasons that say no more than the finish does. */
const plain = new Set(['STOP', 'MAX_TOKENS', 'CONTINUATION']);

const detailOf = ({ raw }: LanguageModelV4FinishReason): string | undefined =>
  raw !== undefined && /^[A-Z][A-Z_]{0,63}$/.test(raw) && !plain.has(raw) ? raw : undefined;

/** Pages that were read; one that could not be read brought nothing into the input. */
const fetchesOf = (google: UntrustedObject): number =>
  asArray(asObject(google['urlContextMetadata'])?.['urlMetadata']).filter(
    (page) => asObject(page)?.['urlRetrievalStatus'] === 'URL_RETRIEVAL_STATUS_SUCCESS',
  ).length;

export interface GoogleEnd extends Pick<GenerationEnd, 'annotations' | 'finishDetail' | 'promptBlock'> {
  readonly urlFetches: number;
  readonly searches: number;
}

/** What models of Google say beside an answer, without the names of the upstream. */
export const fromGoogleMetadata = (
  metadata: SharedV4ProviderMetadata | undefined,
  finish: LanguageModelV4FinishReason,
): GoogleEnd => {
  const google = asObject(metadata?.['google'] ?? metadata?.['googleVertex'] ?? metadata?.['vertex']) ?? {};
  const promptBlock = asText(asObject(google['promptFeedback'])?.['blockReason']);
  const annotations = readAnnotations(google);
  const detail = detailOf(finish);
  return {
    ...(promptBlock === undefined ? {} : { promptBlock }),
    ...(detail === undefined || promptBlock !== undefined ? {} : { finishDetail: detail }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    urlFetches: fetchesOf(google),
    searches: asArray(asObject(google['groundingMetadata'])?.['webSearchQueries']).length,
  };
};
