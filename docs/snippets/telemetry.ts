import { createServer, type Server, type ServerResponse } from 'node:http';
import { telemetry } from '@tollgate/telemetry';
import { prometheus } from '@tollgate/telemetry/prometheus';
import { createGateway, sqliteStorage, type Gateway } from 'tollgate';

// #region telemetry
/** A gateway whose spans and metrics go to the SDK that the host has registered. */
export const observedGateway = async (path: string): Promise<Gateway> => {
  const observer = await telemetry();
  return createGateway({
    storage: sqliteStorage({ path, onBatch: observer.onBatch }),
    observers: [observer],
  });
};
// #endregion telemetry

// #region prometheus
/** Serves the metrics of a gateway on a port of their own. */
const serveMetrics = (scrape: (request: Request) => Promise<Response>, port: number): Server => {
  const respond = async (response: ServerResponse): Promise<void> => {
    const metrics = await scrape(new Request('http://localhost/metrics'));
    response.writeHead(metrics.status, Object.fromEntries(metrics.headers));
    response.end(await metrics.text());
  };
  return createServer((_, response) => void respond(response)).listen(port, '127.0.0.1');
};

export const scrapedGateway = async (path: string, port: number): Promise<Gateway> => {
  const observer = prometheus();
  serveMetrics(observer.metricsHandler, port);
  return createGateway({ storage: sqliteStorage({ path, onBatch: observer.onBatch }), observers: [observer] });
};
// #endregion prometheus
