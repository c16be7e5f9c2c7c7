// Writes the bundled page into the package as text: no file is read while a host runs.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { script, style } from './page-text.ts';

const target = path.join(import.meta.dirname, '../dist/page-text.js');
writeFileSync(
  target,
  `export const script = ${JSON.stringify(script)};\nexport const style = ${JSON.stringify(style)};\n`,
);
