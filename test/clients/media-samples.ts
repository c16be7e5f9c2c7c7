/** The smallest complete files of the kinds that clients send, in base64. */
export const mediaSamples = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  wav: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=',
  pdf: 'JVBERi0xLjQKJSVFT0YK',
} as const;
