/** The file of the responses of a batch. These clients find names of small letters and digits in an address, and nothing else. */
export const resultFileName = (batchId: string): string => `${batchId.replaceAll('-', '')}responses`;

const download = /\/files\/([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})responses:download$/;

/** The batch whose responses a path asks for; null for another path. */
export const resultsOfPath = (path: string): string | null => {
  const groups = download.exec(path)?.slice(1);
  return groups === undefined ? null : groups.join('-');
};
