// Serves the page until it is stopped.
import { startSite } from './start-site.ts';

const site = await startSite({ port: 8788, database: './tollgate-data/voice-session.db' });
console.log(`open ${site.origin} and press Talk`);
process.once('SIGINT', () => {
  site.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
