import { BrokenPromise } from '../broken-promise.ts';

/** What every provider promises, numbered: a case proves one of them, and its failure names it. Numbers are never used again. */
export const providerPromises = {
  P1: 'A provider has a name, and can be closed more than once.',
  P2: 'An answer has every member in its form, and usage that the upstream measured is confirmed.',
  P3: 'Units are those of the list and never overlap; what was read from a cache or written to one is counted once.',
  P4: 'Usage that the upstream did not measure to its end is not confirmed as the whole.',
  P5: 'Function calls have ids of their own, and their arguments are whole and unchanged.',
  P6: 'A function call that was cut is not returned as a whole one.',
  P7: 'The state of a call goes back to the upstream unchanged.',
  P8: 'A forged context is no reason to throw, and changes nothing of the request outside of its own place.',
  P9: 'An answer to a schema is bare JSON.',
  P10: 'An answer that was cut, or that ended for a reason that the provider does not know, is not complete.',
  P11: 'Refused content has no text, not even the explanation of the refusal, and costs what was measured.',
  P12: 'Each setting of a call reaches the upstream, or the call is refused by its name before anything is sent.',
  P13: 'Each medium reaches the upstream, in the call or as a blob, or the call is refused by name before anything is sent.',
  P14: 'What certainly did not run is a `NotExecuted` with its reason, and with the time after which to repeat.',
  P15: 'What may have run is never a `NotExecuted`: a lost answer, a 502 or 504, a time-out of the provider itself.',
  P16: 'After the upstream has begun to answer, a failure is never a `NotExecuted`.',
  P17: 'A stream that ends without its end is not an answer.',
  P18: 'No key and no words of the upstream are in an error, an attempt or a piece of an answer, and none are printed.',
  P19: 'Each upstream request is recorded once, on its own call, with its outcome, its status and its id.',
  P20: 'A request is repeated only if the one before certainly did not run, and not before the upstream said.',
  P21: 'A call ends as soon as its signal aborts, also between two requests; a call that was aborted before sends nothing.',
  P22: 'Nothing is left on the signal of a finished call.',
  P23: 'A stream hands each piece over when it comes, and its pieces come to the answer that is returned otherwise.',
  P24: 'Nothing is handed over after the promise has settled.',
  P25: 'An embedding has one vector for each input, in order, of the requested form, or the call is refused.',
  P26: 'A count is of the input alone.',
  P27: 'An upstream gets the whole of a file, and its copy is noted once there is one, and not before.',
  P28: 'A job is named by a text by which any process can ask for it, and continues until the upstream says that it ended.',
  P29: 'A job that the upstream says failed is a `NotExecuted`; a question without an answer says nothing of the job.',
  P30: 'A result of a job is whole, each item by its key, with what the upstream measured and nothing else.',
  P31: 'A cache is noted with what it holds and what it cost, and one that is gone is no error.',
  P32: 'A call settles: what takes longer than the suite waits has failed.',
  P33: 'What a refusal tells clients is the name of a setting and a detail, each of its closed list.',
} as const;

export type PromiseId = keyof typeof providerPromises;

/** The failure of a case that shows the promise broken. */
export const brokenPromise = (promise: PromiseId, cause: unknown): BrokenPromise =>
  new BrokenPromise(promise, providerPromises[promise], cause);

/** Runs a check of a promise; a failure names it, unless it names another one already. */
export const proving = <T>(promise: PromiseId, check: () => T): T => {
  try {
    return check();
  } catch (cause) {
    throw cause instanceof BrokenPromise ? cause : brokenPromise(promise, cause);
  }
};
