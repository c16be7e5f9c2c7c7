import { createServer } from 'node:http';
import { telemetry } from '@tollgate/telemetry';
import { prometheus } from '@tollgate/telemetry/prometheus';
import { createGateway, fetchListener, sqliteStorage, type Gateway } from 'tollgate';

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
/** A gateway with its metrics on a port of their own. */
export const scrapedGateway = async (path: string, port: number): Promise<Gateway> => {
  const observer = prometheus();
  createServer(fetchListener(observer.metricsHandler)).listen(port, '127.0.0.1');
  return createGateway({ storage: sqliteStorage({ path, onBatch: observer.onBatch }), observers: [observer] });
};
// #endregion prometheus
