// Bundles the page into one script and one stylesheet. From a checkout the console bundles at its first import; a published
// package holds the text that `write-page-text.ts` wrote.
import { build } from 'esbuild';
import path from 'node:path';

const page = path.join(import.meta.dirname, '../page');

const bundle = async (entry: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [path.join(page, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  });
  return outputFiles.map(({ text }) => text).join('\n');
};

export const [script, style] = await Promise.all([bundle('main.ts'), bundle('style.css')]);
