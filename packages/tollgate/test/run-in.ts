import { runCommandLine } from '../src/cli/run-command-line.ts';

/** Runs the command line in an environment; returns its exit code and what it wrote to both outputs. */
export const runIn = async (environment: Readonly<Record<string, string>>, ...words: readonly string[]) => {
  const printed: string[] = [];
  const complained: string[] = [];
  const code = await runCommandLine(words, {
    print: (text) => printed.push(text),
    complain: (text) => complained.push(text),
    environment,
    exit: () => undefined,
  });
  return { code, printed: printed.join('\n'), complained: complained.join('\n') };
};
