import assert from 'node:assert/strict';
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const channelsOfColourType: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
};

/** A square of red, green and blue that runs from dark to light. */
export const writePng = (side: number, brightness = 255): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // Eight bits for each of three colours.
  header.set([8, 2], 8);
  const row = (y: number): number[] =>
    Array.from({ length: side }, (_, x) =>
      [x, y, x + y].map((at) => Math.floor((brightness * at) / (2 * side))),
    ).flat();
  // Each row begins with its filter: none.
  const pixels = Array.from({ length: side }, (_, y) => [0, ...row(y)]).flat();
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(pixels))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** Every chunk by its type, once its check sum was found right. */
const readChunks = (bytes: Buffer): ReadonlyMap<string, Buffer> => {
  assert.ok(bytes.subarray(0, 8).equals(signature));
  const chunks = new Map<string, Buffer>();
  let at = 8;
  while (at < bytes.length) {
    const end = at + 8 + bytes.readUInt32BE(at);
    const body = bytes.subarray(at + 4, end);
    assert.equal(bytes.readUInt32BE(end), crc32(body));
    const type = body.toString('latin1', 0, 4);
    chunks.set(type, Buffer.concat([chunks.get(type) ?? Buffer.alloc(0), body.subarray(4)]));
    at = end + 4;
  }
  return chunks;
};

/** The size of a picture, all of whose pixels are there. */
export const readPng = (bytes: Buffer): { readonly width: number; readonly height: number } => {
  const chunks = readChunks(bytes);
  const [header, data] = [chunks.get('IHDR'), chunks.get('IDAT')];
  assert.ok(header && data && chunks.has('IEND'));
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const bits = header.readUInt8(8) * (channelsOfColourType.get(header.readUInt8(9)) ?? 0);
  assert.equal(inflateSync(data).length, height * (1 + Math.ceil((width * bits) / 8)));
  return { width, height };
};
