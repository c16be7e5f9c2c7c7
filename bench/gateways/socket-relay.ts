// The floor for a relay of sessions in Node: `ws` on both sides, every message passed on as it is.
// node bench/gateways/socket-relay.ts <port> <upstream port>
import { createServer } from 'node:http';
import { WebSocket, WebSocketServer, type RawData } from 'ws';

const [port, upstreamPort] = process.argv.slice(2).map(Number);
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, clientTracking: false });
const server = createServer((_request, response) => response.end());

const pass = (from: WebSocket, to: WebSocket): void => {
  from.on('message', (data: RawData, isBinary: boolean) => to.send(data, { binary: isBinary }));
  from.on('close', () => to.close());
  from.on('error', () => to.terminate());
};

server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (client) => {
    client.once('message', () => {
      const upstream = new WebSocket(`ws://127.0.0.1:${upstreamPort}`, { perMessageDeflate: false });
      upstream.once('open', () => {
        upstream.send('{"setup":{}}');
        pass(client, upstream);
        pass(upstream, client);
      });
    });
  });
});
server.listen({ port, host: '127.0.0.1', backlog: 4_096 }, () => console.log('{"key":null}'));
