// What an upload costs that is read and parsed whole: the body hashed, from which a repeat is known, JSON.parse, base64 decoded, the
// file hashed, and written durably.
// node bench/gateways/whole-upload.ts <port> <folder> body-and-file|file
import { createHash, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';

const [port, folder = '.', hashes = 'body-and-file'] = process.argv.slice(2);

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const chunks: Buffer[] = [];
  // A request yields buffers.
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const read = Buffer.concat(chunks);
  const identity = hashes === 'file' ? '' : hashOf(read);
  const body: unknown = JSON.parse(read.toString('utf8'));
  const data: unknown = typeof body === 'object' && body !== null && 'data' in body ? body.data : '';
  const bytes = Buffer.from(typeof data === 'string' ? data : '', 'base64');
  const sha256 = hashOf(bytes);
  await writeFile(join(folder, randomUUID()), bytes, { flush: true });
  response.writeHead(201, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ identity, sha256, size_bytes: bytes.length }));
};

createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
}).listen(Number(port), '127.0.0.1', () => console.log('{}'));
