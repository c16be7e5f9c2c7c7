import { asArray, asCount, asObject, asText, parseJson, type UntrustedObject } from '@tollgate/provider';

/** An upstream's error, for the log only. The request, which the AI SDK puts into its errors, is left out. */
export interface UpstreamError {
  readonly name: string;
  readonly status: number | null;
  /** The error's codes and types as the upstream spells them, in lower case. */
  readonly codes: readonly string[];
  readonly message: string;
}

/** What of an upstream's error text goes to the log. */
const messageCharactersMax = 1_000;

/** The error object inside a body; upstreams wrap it differently, and some in an array. */
const readBody = (body: unknown): UntrustedObject | undefined => {
  const outer = asObject(body) ?? asObject(asArray(body)[0]);
  return asObject(outer?.['error']) ?? outer;
};

/** What is thrown may hold the upstream's body as text, or be the upstream's own error object. */
export const innerErrorOf = (thrown: UntrustedObject | undefined): UntrustedObject | undefined => {
  const text = asText(thrown?.['responseBody']);
  return (text === undefined ? undefined : readBody(parseJson(text))) ?? readBody(thrown?.['data']) ?? readBody(thrown);
};

/** Reads whatever was thrown, or carried by a stream. */
export const readUpstreamError = (error: unknown): UpstreamError => {
  const thrown = asObject(error);
  const inner = innerErrorOf(thrown);
  const details = asArray(inner?.['details']).map((detail) => asObject(detail)?.['reason']);
  const codes = [inner?.['code'], inner?.['type'], inner?.['status'], thrown?.['code'], ...details].flatMap((code) => {
    const text = asText(code)?.toLowerCase();
    return text === undefined ? [] : [text];
  });
  const message = asText(inner?.['message']) ?? asText(thrown?.['message']) ?? '';
  return {
    name: asText(thrown?.['name']) ?? 'Error',
    status: asCount(thrown?.['statusCode']) ?? asCount(inner?.['code']) ?? null,
    codes: [...new Set(codes)],
    message: message.slice(0, messageCharactersMax),
  };
};
