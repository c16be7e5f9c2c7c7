/** A job or command whose failure loses nothing: it is tried again. */
export const inBackground = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch {
    // The fault was injected; what it left behind is judged when the history ends.
  }
};
