import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';

const promptTexts = ({ prompt }: LanguageModelV4CallOptions): readonly string[] =>
  prompt.flatMap((message) =>
    typeof message.content === 'string'
      ? [message.content]
      : message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  );

const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** Counts the words of the last text. Tokens are words here, and the one thing that it is metered by. */
const answerTo = (options: LanguageModelV4CallOptions) => {
  const texts = promptTexts(options);
  const words = wordsOf(texts.at(-1) ?? '').length;
  const text = `You said ${words} words.`;
  const input = texts.reduce((sum, said) => sum + wordsOf(said).length, 0);
  return {
    text,
    finishReason: { unified: 'stop', raw: undefined },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: wordsOf(text).length, text: wordsOf(text).length, reasoning: 0 },
    },
  } as const;
};

const piecesOf = (options: LanguageModelV4CallOptions): readonly LanguageModelV4StreamPart[] => {
  const { text, finishReason, usage } = answerTo(options);
  const deltas = text.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id: '1', delta }) as const);
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '1' },
    ...deltas,
    { type: 'text-end', id: '1' },
    { type: 'finish', finishReason, usage },
  ];
};

/** A model object of the AI SDK as any package of a vendor makes it; this one needs no network. */
export const countingModel = (modelId: string): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: 'example.counting',
  modelId,
  supportedUrls: {},
  doGenerate: (options): Promise<LanguageModelV4GenerateResult> => {
    const { text, finishReason, usage } = answerTo(options);
    return Promise.resolve({ content: [{ type: 'text', text }], finishReason, usage, warnings: [] });
  },
  doStream: (options) => Promise.resolve({ stream: ReadableStream.from(piecesOf(options)) }),
});
