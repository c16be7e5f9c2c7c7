import express, { type Express } from 'express';
import { toNodeListener, type Gateway } from 'tollgate';

/** Where the gateway lies; the same as its `basePath`, which is the default here. */
export const gatewayPath = '/api/v1/ai';

const notesMax = 1_000;

/** The application as it was before, with the gateway beside its routes. */
export const createApp = (gateway: Pick<Gateway, 'handle'>): Express => {
  const app = express();
  // Before every body parser: what identifies a request is its exact bytes, and the gateway reads and counts them itself.
  app.use(gatewayPath, toNodeListener(gateway.handle));
  app.use(express.json({ limit: '100kb' }));
  const notes: string[] = [];
  app.get('/health', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.post('/notes', (request, response) => {
    const body: unknown = request.body;
    const text = typeof body === 'object' && body !== null && 'text' in body ? body.text : null;
    if (typeof text !== 'string' || notes.length >= notesMax) {
      response.status(422).json({ error: 'a note has a text' });
      return;
    }
    notes.push(text);
    response.status(201).json({ text, notes: notes.length });
  });
  return app;
};
