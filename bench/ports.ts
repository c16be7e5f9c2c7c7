/** Below the ports that the system gives to outgoing connections, which would collide with ours. */
const portMin = 20_000;
const portMax = 32_000;
let port = portMin + (process.pid % 1_000) * 10;

/** A port that this run has not used yet, for a closed one may linger. */
export const nextPort = (): number => {
  port = port >= portMax ? portMin : port + 1;
  return port;
};
