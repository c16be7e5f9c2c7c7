// @musistudio/llms with the mock as its one provider: node bench/gateways/llms.ts <port> <upstream port>
import { createRequire } from 'node:module';

const [port, upstreamPort] = process.argv.slice(2);
// Its ESM build throws on import, so its CommonJS one is taken; it is installed beside the peers, not with the project.
const load = createRequire(new URL('../peers/package.json', import.meta.url));

interface LlmsServer {
  start(): Promise<void>;
}
type LlmsModule = { readonly default: new (options: object) => LlmsServer };

// Its types are not installed with the project; this is what its README shows.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const { default: Server } = load('@musistudio/llms') as LlmsModule;
const server = new Server({
  logger: false,
  initialConfig: {
    PORT: port,
    HOST: '127.0.0.1',
    providers: [
      {
        name: 'mock',
        api_base_url: `http://127.0.0.1:${upstreamPort}/v1/chat/completions`,
        api_key: 'sk-mock',
        models: ['mock-1'],
      },
    ],
  },
});
await server.start();
// The bench times its start by this line.
console.log('listening');
