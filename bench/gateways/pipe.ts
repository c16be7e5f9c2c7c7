// The floor for a gateway in Node: passes bytes on and back by node:http, and looks at nothing.
// node bench/gateways/pipe.ts <port> <upstream port>
import { Agent, createServer, request as ask } from 'node:http';

const [port, upstreamPort] = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 4_096 });

const server = createServer((request, response) => {
  const { method, url: path, headers } = request;
  const onward = ask({ host: '127.0.0.1', port: upstreamPort, agent, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
});
server.listen({ port, host: '127.0.0.1', backlog: 4_096 });
