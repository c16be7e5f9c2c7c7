import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startS3Server } from '../../../test/s3-server.ts';

const mebibyte = 1024 * 1024;

test('streams 256 MiB both ways without holding it', async () => {
  const server = await startS3Server();
  const program = fileURLToPath(new URL('../../../test/s3-stream-memory.ts', import.meta.url));
  const { bucket, accessKeyId, secretAccessKey } = server;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=@tollgate/source',
    program,
    `http://127.0.0.1:${server.port}`,
    '256',
    bucket,
    accessKeyId,
    secretAccessKey,
  ]);
  await server.stop();
  const { read, grownMebibytes } = JSON.parse(stdout) as { read: number; grownMebibytes: number };
  expect(read).toBe(256 * mebibyte);
  // Parts under way and a young generation grow to about half of that; holding it would take 256 and more.
  expect(grownMebibytes).toBeLessThan(192);
});
