/** The only addresses that names of this run have and that are public; written down here, so that the guard does not judge itself. */
export const publicAddresses: readonly string[] = ['93.184.215.14', '93.184.215.15', '203.0.114.7'];

/** Where no packet may go. */
export const forbiddenAddresses: readonly string[] = [
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '0.0.0.0',
  '224.0.0.1',
];

export const isPublicAddress = (address: string): boolean => publicAddresses.includes(address);
