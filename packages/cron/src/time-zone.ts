/** How many milliseconds local time is ahead of UTC at an instant. */
export type OffsetAt = (instantMs: number) => number;

const zonesKeptMax = 1_000;
const zones = new Map<string, OffsetAt>();

const offsetText = /^(?:GMT|UTC)(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

const parseOffset = (text: string): number => {
  const match = offsetText.exec(text);
  if (match === null) throw new Error(`the runtime wrote an offset that cannot be read: ${text}`);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match;
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -ms : ms;
};

const createOffsetAt = (timeZone: string): OffsetAt => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset', year: 'numeric' });
  return (instantMs) => {
    // The year comes first, then the name of the offset: "2026, GMT-03:00".
    const text = format.format(instantMs);
    return parseOffset(text.slice(text.lastIndexOf(' ') + 1));
  };
};

/** Names that begin like an offset are taken by the runtime and are no zones. */
const isZoneName = (name: string): boolean => /^[A-Za-z][\w+\-/]{0,63}$/.test(name);

/** The offsets of a zone; throws a RangeError where there is no such zone. */
export const offsetsOf = (timeZone: string): OffsetAt => {
  const known = zones.get(timeZone);
  if (known !== undefined) return known;
  if (!isZoneName(timeZone)) throw new RangeError(`not a time zone: ${timeZone}`);
  const offsetAt = createOffsetAt(timeZone);
  if (zones.size >= zonesKeptMax) zones.clear();
  zones.set(timeZone, offsetAt);
  return offsetAt;
};

// triggers:body:time-zone
/** Whether a name is an IANA time zone that the runtime knows. */
export const isTimeZone = (name: string): boolean => {
  try {
    offsetsOf(name);
    return true;
  } catch {
    return false;
  }
};

/** A stretch of time with one offset, from `fromMs` up to but not including `toMs`. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly offsetMs: number;
}

/** Two changes of a zone's offset are never closer than this. */
const probeMs = 12 * 3_600_000;

/** The first instant of a new offset, to the second; `fromMs` has another offset than `toMs`. */
const findChange = (offsetAt: OffsetAt, fromMs: number, toMs: number): number => {
  const before = offsetAt(fromMs);
  let low = fromMs;
  let high = toMs;
  while (high - low > 1_000) {
    const middle = low + Math.floor((high - low) / 2_000) * 1_000;
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
};

/** Cuts a span of time, which begins on a whole second, where the zone's offset changes. */
export const stretchesOf = (offsetAt: OffsetAt, fromMs: number, toMs: number): readonly Stretch[] => {
  const stretches: Stretch[] = [];
  let start = fromMs;
  let offsetMs = offsetAt(fromMs);
  for (let at = fromMs; at < toMs; at += probeMs) {
    const next = Math.min(at + probeMs, toMs);
    const nextOffset = offsetAt(next);
    if (nextOffset === offsetMs) continue;
    const change = findChange(offsetAt, at, next);
    stretches.push({ fromMs: start, toMs: change, offsetMs });
    start = change;
    offsetMs = nextOffset;
  }
  return [...stretches, { fromMs: start, toMs, offsetMs }];
};
