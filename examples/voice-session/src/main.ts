// Serves the page until it is stopped.
import { startSite } from './start-site.ts';

const site = await startSite({
  port: Number(process.env['PORT'] ?? '8788'),
  database: './tollgate-data/voice-session.db',
});
console.log(`open ${site.origin} and press Talk`);
const stop = (): void => {
  site.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
};
process.once('SIGINT', stop).once('SIGTERM', stop);
