import { expect, test } from 'vitest';
import { createMessageCounter } from '../bench/http-framing.ts';

const sized = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const chunked =
  'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n10;x=y\r\n0123456789abcdef\r\n0\r\n\r\n';
const trailed = 'HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nafter: 1\r\n\r\n';
const empty = 'HTTP/1.1 204 No Content\r\n\r\n';
const stream = Buffer.from(sized + chunked + empty + trailed + sized);
const lines = [
  'HTTP/1.1 200 OK',
  'HTTP/1.1 201 Created',
  'HTTP/1.1 204 No Content',
  'HTTP/1.1 202 Accepted',
  'HTTP/1.1 200 OK',
];

/** Reads come in one reused buffer, as the load's sockets deliver them. */
const countIn = (bytesPerRead: number): readonly string[] => {
  const seen: string[] = [];
  const counter = createMessageCounter((line) => seen.push(line));
  const buffer = Buffer.alloc(bytesPerRead);
  for (let at = 0; at < stream.length; at += bytesPerRead) {
    const size = stream.copy(buffer, 0, at, at + bytesPerRead);
    counter.feed(buffer.subarray(0, size));
  }
  return seen;
};

test('counts whole messages by length, by chunks and without a body, wherever the reads cut them', () => {
  for (let bytesPerRead = 1; bytesPerRead <= stream.length; bytesPerRead += 1)
    expect(countIn(bytesPerRead)).toEqual(lines);
});

test('counts nothing of a message that is not whole', () => {
  const seen: string[] = [];
  const counter = createMessageCounter((line) => seen.push(line));
  counter.feed(Buffer.from(sized.slice(0, -1)));
  expect(seen).toEqual([]);
  counter.feed(Buffer.from('o'));
  expect(seen).toEqual(['HTTP/1.1 200 OK']);
});
