// What the page on several processes shows: the same program runs in each of them.
import { serveOnFourCores } from '../../docs/snippets/sweeper.ts';

console.log(JSON.stringify(await serveOnFourCores('./gateway.db', 0)));
