// An upstream that speaks the Gemini wire of sessions and answers every piece of sound with one of the same length.
// node bench/mock/live-upstream.ts <port>
import { createServer } from 'node:http';
import { WebSocketServer, type RawData } from 'ws';

const [port] = process.argv.slice(2).map(Number);
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, clientTracking: false });
const server = createServer((_request, response) => response.writeHead(404).end());

const soundStart = '"data":"';

/** The sound of a message, without parsing the rest. */
const soundOf = (text: string): string => {
  const from = text.indexOf(soundStart) + soundStart.length;
  return text.slice(from, text.indexOf('"', from));
};

server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (client) => {
    client.on('error', () => {});
    client.once('message', () => {
      client.send('{"setupComplete":{}}');
      client.on('message', (data: RawData) => {
        const text = Buffer.isBuffer(data) ? data.toString('latin1') : '';
        const part = `{"inlineData":{"mimeType":"audio/pcm;rate=24000","data":"${soundOf(text)}"}}`;
        client.send(`{"serverContent":{"modelTurn":{"role":"model","parts":[${part}]}}}`);
      });
    });
  });
});
server.listen({ port, host: '127.0.0.1', backlog: 4_096 });
