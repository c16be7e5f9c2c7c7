const isPlain = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null;

/** Bytes of base64 without decoding it. */
const bytesOf = (data: string): number =>
  (data.length / 4) * 3 - (data.endsWith('==') ? 2 : Number(data.endsWith('=')));

/** How much sound a message of music carries (A9: music is measured by nothing else). */
export const audioBytesOf = (body: { readonly [key: string]: unknown }): number => {
  const content = body['serverContent'];
  const chunks = isPlain(content) ? content['audioChunks'] : undefined;
  if (!Array.isArray(chunks)) return 0;
  return chunks.reduce<number>((sum, chunk: unknown) => {
    const data = isPlain(chunk) ? chunk['data'] : undefined;
    return typeof data === 'string' ? sum + bytesOf(data) : sum;
  }, 0);
};
