/** How the state of another provider begins: JSON, as it is or in base64. A signature is base64 of no text. */
const foreign = /^(?:\{|eyJ)/;

/**
 * The state of a part as a signature of this upstream; undefined where another provider wrote it, for the upstream refuses a
 * whole request whose signature it cannot read, and with it every further turn of the conversation.
 */
export const signatureOf = (context: string | undefined): string | undefined =>
  context === undefined || foreign.test(context) ? undefined : context;
