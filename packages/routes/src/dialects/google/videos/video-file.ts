/** One of the videos of a resource, as a file of this dialect. */
export interface VideoFile {
  readonly id: string;
  readonly index: number;
}

/** These clients find names of small letters and digits in an address, and nothing else. */
export const videoFileName = ({ id, index }: VideoFile): string => `${id.replaceAll('-', '')}v${index}`;

const shape = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})v(\d{1,3})$/;

/** The video that the name of a file means; null for the name of another file. */
export const videoFileOf = (name: string): VideoFile | null => {
  const [, first, second, third, fourth, fifth, index] = shape.exec(name) ?? [];
  return index === undefined ? null : { id: [first, second, third, fourth, fifth].join('-'), index: Number(index) };
};

const download = /\/files\/([0-9a-z]+):download$/;

/** The video that a path asks the bytes of; null for another path. */
export const downloadOf = (path: string): VideoFile | null => videoFileOf(download.exec(path)?.[1] ?? '');
