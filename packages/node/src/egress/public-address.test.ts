import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

interface AddressRow {
  readonly ip: string;
  readonly blocklist_public: boolean;
}
interface AddressTable {
  readonly cidrs: readonly string[];
  readonly rows: readonly AddressRow[];
}

const table = JSON.parse(
  readFileSync(new URL('../../test-data/ssrf-ip-table.json', import.meta.url), 'utf8'),
) as AddressTable;

test.each(table.rows.map(({ ip, blocklist_public: listed }) => [ip, listed && ip !== '168.63.129.16'] as const))(
  'tells whether %s is public: %s',
  (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected);
  },
);

const toNumber = (address: string): number => address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
const toAddress = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');

test.each(table.cidrs)('ends %s where it ends', (cidr) => {
  const [network = '', prefix = ''] = cidr.split('/');
  const first = toNumber(network);
  const last = first + 2 ** (32 - Number(prefix)) - 1;
  expect(isPublicAddress(network)).toBe(false);
  expect(isPublicAddress(toAddress(last))).toBe(false);
});

test('counts the service address of a cloud as not public', () => {
  expect(isPublicAddress('168.63.129.16')).toBe(false);
  expect(isPublicAddress('168.63.129.17')).toBe(true);
});

test.each(['', 'localhost', '8.8.8', '08.8.8.8', '8.8.8.8 ', '0x08080808', '134744072', '::ffff:8.8.8.8'])(
  'does not take %j for an address',
  (text) => {
    expect(isPublicAddress(text)).toBe(false);
  },
);
