/** What a host can do about a failed listening; others are as the system words them. */
const advice: Readonly<Record<string, (port: number) => string>> = {
  EADDRINUSE: (port) =>
    `another process listens there: end it, or serve on another port than ${port} (0 takes any that is free)`,
  EACCES: (port) => `this user may not use port ${port}: serve on one from 1024 on`,
  EADDRNOTAVAIL: () => 'this machine does not have that address: give another host',
};

/** The error of a server that could not listen, with the same code and what to do about it. For a server of a host's own. */
export const toListenError = (cause: NodeJS.ErrnoException, port: number, host: string): Error => {
  const advise = advice[cause.code ?? ''];
  if (advise === undefined) return cause;
  const error = new Error(`Cannot listen on ${host}, port ${port}: ${advise(port)}`, { cause });
  return Object.assign(error, { code: cause.code });
};
