import { timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { telemetry } from '@tollgate/telemetry';
import { prometheus } from '@tollgate/telemetry/prometheus';
import { Hono } from 'hono';
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

// #region metrics-route
/** A server whose metrics are a route of their own, for a collector that sends `Authorization: Bearer` with the token. */
export const withMetricsRoute = async (path: string, token: string) => {
  const wanted = Buffer.from(`Bearer ${token}`);
  const observer = prometheus({
    authorize: ({ headers }) => {
      const given = Buffer.from(headers.get('authorization') ?? '');
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    },
  });
  const gateway = await createGateway({
    storage: sqliteStorage({ path, onBatch: observer.onBatch }),
    observers: [observer],
  });
  const app = new Hono();
  app.get('/metrics', (context) => observer.metricsHandler(context.req.raw));
  app.all('/api/v1/ai/*', (context) => gateway.fetch(context.req.raw));
  return { app, gateway };
};
// #endregion metrics-route
