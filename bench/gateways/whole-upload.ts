// What an upload costs that is read and parsed whole: JSON.parse, base64 decoded, hashed, written to a file.
// node bench/gateways/whole-upload.ts <port> <folder>
import { createHash, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';

const [port, folder = '.'] = process.argv.slice(2);

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const chunks: Buffer[] = [];
  // A request yields buffers.
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  const data: unknown = typeof body === 'object' && body !== null && 'data' in body ? body.data : '';
  const bytes = Buffer.from(typeof data === 'string' ? data : '', 'base64');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await writeFile(join(folder, randomUUID()), bytes, { flush: true });
  response.writeHead(201, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ sha256, size_bytes: bytes.length }));
};

createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
}).listen(Number(port), '127.0.0.1', () => console.log('{}'));
