import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** What is said of a name: its IPv4 addresses, that it has others only, or nothing at all. */
export type NameAnswer =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'silence' };

export interface FakeNameServer {
  /** `address:port`, as a resolver takes it. */
  readonly server: string;
  /** Names that were asked for, in order. */
  readonly asked: readonly string[];
  readonly close: () => void;
}

const headerBytes = 12;
const typeA = 1;
const ttlSeconds = 0;

/** The name of the only question, and where the question ends. */
const readQuestion = (query: Buffer): { readonly name: string; readonly type: number; readonly end: number } => {
  const labels: string[] = [];
  let at = headerBytes;
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size));
    at += 1 + size;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
};

const addressRecord = (address: string): Buffer => {
  const record = Buffer.alloc(16);
  record.writeUInt16BE(0xc0_0c, 0);
  record.writeUInt16BE(typeA, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(ttlSeconds, 6);
  record.writeUInt16BE(4, 10);
  record.set(address.split('.').map(Number), 12);
  return record;
};

const answerTo = (query: Buffer, end: number, addresses: readonly string[]): Buffer => {
  const header = Buffer.from(query.subarray(0, headerBytes));
  header.writeUInt16BE(0x81_80, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.fill(0, 8, headerBytes);
  return Buffer.concat([header, query.subarray(headerBytes, end), ...addresses.map(addressRecord)]);
};

/** A name server on the loopback that says what a test wants it to, another time another thing if need be. */
export const startFakeNameServer = async (answer: (name: string) => NameAnswer): Promise<FakeNameServer> => {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    asked.push(name);
    const said = answer(name);
    if (said.kind === 'silence') return;
    const addresses = said.kind === 'addresses' && type === typeA ? said.addresses : [];
    socket.send(answerTo(query, end, addresses), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { server: `127.0.0.1:${socket.address().port}`, asked, close: () => void socket.close() };
};
