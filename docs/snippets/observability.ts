import { createGateway, type Gateway, type Observer } from 'tollgate';

// #region request-log
/** A gateway that answers probes, and writes one JSON line for each request. */
export const withRequestLog = (): Promise<Gateway> =>
  createGateway({
    probes: true,
    requestLog: (line) => process.stdout.write(`${JSON.stringify(line)}\n`),
  });
// #endregion request-log

// #region observer
/** Counts what clients are refused for. */
export const refusalCounter = (counts: Map<string, number>): Observer => ({
  observe: (event) => {
    if (event.kind === 'request_refused') counts.set(event.code, (counts.get(event.code) ?? 0) + 1);
  },
});
// #endregion observer

// #region health
/** The same as `/readyz`, for a host that has its own routes. */
export const readiness = async (gateway: Gateway): Promise<Response> => {
  const { isReady, isDraining } = await gateway.health();
  return Response.json({ isReady, isDraining }, { status: isReady ? 200 : 503 });
};
// #endregion health
