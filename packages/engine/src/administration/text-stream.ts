/** Texts as UTF-8, each made when the reader asks for it; a reader that leaves ends them. */
export const textStream = (texts: AsyncGenerator<string, void>): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const next = await texts.next();
        if (next.done === true) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      },
      cancel: async () => {
        await texts.return();
      },
    },
    { highWaterMark: 0 },
  );
};
