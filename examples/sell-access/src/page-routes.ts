// The pages of the shop and the modules that they load, as they lie on the disk.
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { basename } from 'node:path';
import express, { type Response as Answer, type Router } from 'express';

const policy = "default-src 'self'; base-uri 'none'; frame-ancestors 'none'";
const elements = import.meta.resolve('@tollgate/elements');

/** A module as browsers take it: without types, and with the address of the package in place of its name. */
const sendModule = async (response: Answer, file: URL): Promise<void> => {
  const text = await readFile(file, 'utf8');
  const code = file.pathname.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  response.type('text/javascript').send(code.replaceAll("'@tollgate/elements'", `'/elements/${basename(elements)}'`));
};

export const pageRoutes = (): Router => {
  const routes = express.Router();
  routes.get('/', async (_, response) => {
    response.set('content-security-policy', policy);
    response.type('text/html').send(await readFile(new URL('page/index.html', import.meta.url), 'utf8'));
  });
  routes.get('/page.ts', (_, response) => sendModule(response, new URL('page/page.ts', import.meta.url)));
  routes.get(/^\/elements\/([a-z-]+\.[jt]s)$/u, (request, response) =>
    sendModule(response, new URL(request.params[0] ?? '', elements)),
  );
  // A browser asks for it by itself.
  routes.get('/favicon.ico', (_, response) => void response.status(204).end());
  return routes;
};
