import { BlockList, isIPv4 } from 'node:net';

/** Networks that are not the public internet: RFC 6890 and its heirs, multicast and what is reserved. */
const privateNetworks = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;
/** Public by its number, and yet the service by which one large cloud speaks to its own machines. */
const cloudServiceAddress = '168.63.129.16';

const blocked = new BlockList();
for (const [network, prefix] of privateNetworks) blocked.addSubnet(network, prefix);
blocked.addAddress(cloudServiceAddress);

/** Whether an address is IPv4 in dotted form and belongs to the public internet. No IPv6 address does. */
export const isPublicAddress = (address: string): boolean => isIPv4(address) && !blocked.check(address);
