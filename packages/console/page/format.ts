// Figures and times as people read them. Credits are exact decimal texts on the wire; here they are only shown.

const grouped = (digits: string): string => digits.replaceAll(/\B(?=(?:\d{3})+$)/gu, ' ');

/** Credits with thin spaces between thousands, and without zeros at the end of the fraction. */
export const credits = (text: string | null | undefined): string => {
  if (text === null || text === undefined) return '–';
  const sign = text.startsWith('-') ? '−' : '';
  const [whole = '0', fraction = ''] = text.replace(/^-/u, '').split('.', 2);
  const rest = fraction.replace(/0+$/u, '');
  return `${sign}${grouped(whole)}${rest === '' ? '' : `.${rest}`}`;
};

/** A count with thin spaces between thousands. */
export const count = (value: number | string): string => grouped(String(value));

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** An instant in the visitor's zone. */
export const time = (value: string | number | null | undefined): string =>
  value === null || value === undefined ? '–' : moment.format(new Date(value));

export const date = (value: string | number): string => day.format(new Date(value));

/** A span as its two largest parts, such as `1.20 s` or `3 min 5 s`. */
export const span = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(2)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
};

/** The first characters of an id, which tell it from its neighbours. */
export const shortId = (id: string): string => (id.length > 13 ? `${id.slice(0, 13)}…` : id);
