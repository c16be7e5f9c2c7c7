// Streams a blob to and from a service and tells by how much the process grew. Its arguments are the endpoint, the blob's
// MiB, the bucket, the access key's id and its secret.
import { s3Blobs } from '@tollgate/blobs-s3';

const mebibyte = 1024 * 1024;
const [endpoint = '', mebibytes = '0', bucket = '', accessKeyId = '', secretAccessKey = ''] = process.argv.slice(2);
const bytes = Number(mebibytes) * mebibyte;
const blobs = s3Blobs({ endpoint, bucket, accessKeyId, secretAccessKey });

const piecesOf = async function* (total: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < total; sent += 64 * 1024) yield new Uint8Array(64 * 1024).fill(sent / (64 * 1024));
};

/** A first small round, so that what is loaded once does not count. */
await blobs.putStream('small', piecesOf(mebibyte));
await blobs.get('small');
const atFirst = process.memoryUsage.rss();
let peak = atFirst;
const sampler = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 5);

const startedUpMs = performance.now();
await blobs.putStream('large', piecesOf(bytes));
const startedDownMs = performance.now();
const found = await blobs.getStream('large');
let read = 0;
for await (const piece of found?.chunks ?? []) read += piece.byteLength;
const endedMs = performance.now();
clearInterval(sampler);
const perSecond = (ms: number): number => Math.round(Number(mebibytes) / (ms / 1000));
console.log(
  JSON.stringify({
    read,
    grownMebibytes: Math.round((peak - atFirst) / mebibyte),
    upMebibytesPerSecond: perSecond(startedDownMs - startedUpMs),
    downMebibytesPerSecond: perSecond(endedMs - startedDownMs),
  }),
);
