/** What counts as silence: a hundredth of the loudest sample. */
const silenceMax = 327;
const rateDefault = 16_000;

/** How long a piece of sound is: samples of 16 bits on one channel. */
export const pcmMs = (data: string, mimeType: string): number => {
  const rate = Number(/rate=(\d+)/.exec(mimeType)?.[1] ?? rateDefault);
  return (Buffer.byteLength(data, 'base64') / 2 / rate) * 1_000;
};

/** Whether anything is to be heard in a piece of sound. */
export const isLoud = (data: string): boolean => {
  const bytes = Buffer.from(data, 'base64');
  for (let at = 0; at + 1 < bytes.length; at += 2) if (Math.abs(bytes.readInt16LE(at)) > silenceMax) return true;
  return false;
};
