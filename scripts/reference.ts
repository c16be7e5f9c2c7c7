// Writes the pages of the reference that are made from the code:
//   npm run reference
import { mkdir, writeFile } from 'node:fs/promises';
import { referencePages } from './reference/pages.ts';

const directory = new URL('../docs/reference/', import.meta.url);

const pages = await referencePages();
for (const [name, text] of pages) {
  const file = new URL(name, directory);
  await mkdir(new URL('./', file), { recursive: true });
  await writeFile(file, text);
}
console.log(`${pages.size} pages of docs/reference written`);
