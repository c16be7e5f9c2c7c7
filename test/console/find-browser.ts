import { existsSync } from 'node:fs';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A browser of this machine, or null where there is none. `CHROMIUM` names one elsewhere, or says `none`. */
export const findBrowser = (): string | null =>
  (process.env['CHROMIUM'] === undefined ? places : [process.env['CHROMIUM']]).find(
    (place) => place !== undefined && existsSync(place),
  ) ?? null;
