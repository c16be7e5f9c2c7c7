import type { CommandWorld } from './command.ts';

const lineEnd = '\r\n';

/** Prints streamed CSV line by line: where a chunk ends within a line, its beginning waits for the next chunk. */
export const printCsvOf = async (
  world: Pick<CommandWorld, 'print'>,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> => {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of chunks) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(lineEnd);
    rest = lines.pop() ?? '';
    for (const line of lines) world.print(line);
  }
  rest += decoder.decode();
  if (rest !== '') world.print(rest);
};
