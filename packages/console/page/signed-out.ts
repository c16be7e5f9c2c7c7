const listeners = new Set<() => void>();

/** Tells the page that its session has ended. */
export const signedOut = (): void => {
  for (const listener of listeners) listener();
};

export const onSignedOut = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
