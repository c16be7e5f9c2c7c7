import { existsSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitepress';
import tollgate from '../../packages/tollgate/package.json' with { type: 'json' };
import { editLinkOf } from './edit-link.ts';
import { writePlainText } from './llms.ts';
import { indexOptions, readSections, renderSections, searchOptions } from './search-sections.ts';
import { showImports } from './shown-code.ts';

/** In the order of the reader: to a first call, then to a product, then to production; what is looked up comes last. */
export const sidebar = [
  {
    text: 'Start',
    items: [
      { text: 'What it is', link: '/' },
      { text: 'Get started', link: '/get-started' },
      { text: 'Create a project', link: '/create' },
      { text: 'The life of an operation', link: '/concepts/operation-life' },
      { text: 'Glossary', link: '/glossary' },
    ],
  },
  {
    text: 'Embed it',
    items: [
      {
        text: 'Mount it in your server',
        link: '/hosts/',
        collapsed: true,
        items: [
          { text: 'node:http', link: '/hosts/node-http' },
          { text: 'Express', link: '/hosts/express' },
          { text: 'Fastify', link: '/hosts/fastify' },
          { text: 'Hono', link: '/hosts/hono' },
          { text: 'NestJS', link: '/hosts/nest' },
          { text: 'Next.js', link: '/hosts/next' },
          { text: 'Bun', link: '/hosts/bun' },
          { text: 'Deno', link: '/hosts/deno' },
          { text: 'Cloudflare Workers', link: '/hosts/workers' },
        ],
      },
      { text: 'Hosting', link: '/hosting' },
      { text: 'Callers of your own', link: '/callers' },
      { text: 'Hooks', link: '/hooks' },
    ],
  },
  {
    text: 'Models and prices',
    items: [
      { text: 'OpenAI and compatible servers', link: '/adapters/openai' },
      { text: 'The Gemini API', link: '/adapters/google' },
      { text: 'The Anthropic API', link: '/adapters/anthropic' },
      { text: 'AI SDK models', link: '/adapters/ai-sdk' },
      { text: 'Routing between providers', link: '/providers/routing' },
      { text: 'Models of your own', link: '/models' },
      { text: 'Prices', link: '/prices' },
      { text: 'Metering', link: '/concepts/metering' },
    ],
  },
  {
    text: 'Accounts, keys and limits',
    items: [
      { text: 'Accounts, keys and limits', link: '/keys' },
      { text: 'Limits', link: '/limits' },
      { text: 'Quotas', link: '/concepts/quotas' },
      { text: 'Credits', link: '/concepts/credits' },
      { text: 'Idempotency', link: '/concepts/identity' },
    ],
  },
  {
    text: 'Clients and events',
    items: [
      { text: 'Streaming', link: '/routes/streaming' },
      { text: 'Clients', link: '/clients' },
      { text: 'Google clients', link: '/google-clients' },
      { text: 'Webhooks', link: '/webhooks' },
      { text: 'Schedules', link: '/triggers' },
      { text: 'Realtime sessions', link: '/routes/live' },
      { text: 'Tools', link: '/tools' },
      { text: 'Interactions and agents', link: '/routes/interactions' },
    ],
  },
  {
    text: 'A business on it',
    items: [
      { text: 'Build a business on it', link: '/business' },
      { text: 'Payments', link: '/payments' },
      { text: 'Usage and statements', link: '/usage' },
      { text: 'Administration over HTTP', link: '/administration' },
      { text: 'Console', link: '/console' },
      { text: 'Elements', link: '/elements' },
    ],
  },
  {
    text: 'Testing your host',
    items: [
      { text: 'Testing your host', link: '/testing' },
      { text: 'The sandbox', link: '/adapters/sandbox' },
      { text: 'Proving a whole gateway', link: '/adapters/gateway-suite' },
      { text: 'Conformance', link: '/conformance' },
    ],
  },
  {
    text: 'In production',
    items: [
      { text: 'Deploying', link: '/deploying' },
      { text: 'Operating', link: '/operating' },
      { text: 'Backups', link: '/backups' },
      { text: 'Upgrading', link: '/upgrading' },
      { text: 'Observability', link: '/observability' },
      { text: 'Reconciling', link: '/reconciling' },
      { text: 'Scaling', link: '/scaling' },
      { text: 'What running it costs', link: '/cost' },
      { text: 'Cells', link: '/adapters/cells' },
    ],
  },
  {
    text: 'Security',
    items: [
      { text: 'Security and threat model', link: '/security' },
      { text: 'Hardening checklist', link: '/hardening' },
      { text: 'Secrets at rest', link: '/concepts/secrets' },
      { text: 'What revoking stops', link: '/concepts/revocation' },
      { text: 'Hostile bodies', link: '/concepts/hostile-bodies' },
      { text: 'Dependencies', link: '/dependencies' },
    ],
  },
  {
    text: 'Help',
    items: [
      { text: 'Troubleshooting', link: '/troubleshooting' },
      { text: 'Questions', link: '/faq' },
      { text: 'Comparison', link: '/comparison' },
    ],
  },
  {
    text: 'Migrating',
    items: [
      { text: 'Migrating', link: '/migrating/' },
      { text: 'From LiteLLM', link: '/migrating/litellm' },
      { text: 'From Portkey', link: '/migrating/portkey' },
      { text: 'From OpenRouter', link: '/migrating/openrouter' },
      { text: 'From a counter of your own', link: '/migrating/own-counter' },
    ],
  },
  {
    text: 'Routes',
    collapsed: true,
    items: [
      { text: 'Chat completions', link: '/routes/chat' },
      { text: 'Generate content', link: '/routes/generate' },
      { text: 'Messages', link: '/routes/messages' },
      { text: 'Responses', link: '/routes/responses' },
      { text: 'Ollama’s clients', link: '/routes/ollama' },
      { text: 'Images', link: '/routes/images' },
      { text: 'Audio', link: '/routes/audio' },
      { text: 'Moderations', link: '/routes/moderations' },
      { text: 'Embeddings', link: '/routes/embeddings' },
      { text: 'Files', link: '/routes/files' },
      { text: 'Caches', link: '/routes/caches' },
      { text: 'Batches', link: '/routes/batches' },
      { text: 'Videos', link: '/routes/videos' },
      { text: 'Stores and documents', link: '/routes/stores' },
      { text: 'Environments', link: '/routes/environments' },
      { text: 'Account', link: '/routes/account' },
      { text: 'Models and requests', link: '/routes/models-and-requests' },
      { text: 'Media', link: '/concepts/media' },
      { text: 'The life of a resource', link: '/concepts/resources' },
    ],
  },
  {
    text: 'Storage',
    collapsed: true,
    items: [
      { text: 'Storage', link: '/adapters/storage' },
      { text: 'PostgreSQL', link: '/adapters/postgres' },
      { text: 'MySQL and MariaDB', link: '/adapters/mysql' },
      { text: 'SQLite of other runtimes', link: '/adapters/sqlite-driver' },
      { text: 'Blobs', link: '/adapters/blobs' },
      { text: 'Ledger and idempotency store', link: '/adapters/ledger-and-identities' },
    ],
  },
  {
    text: 'Adapters of your own',
    collapsed: true,
    items: [
      { text: 'Writing a provider', link: '/providers/writing-a-provider' },
      { text: 'Provider', link: '/adapters/provider' },
      { text: 'Promises of a provider', link: '/adapters/provider-promises' },
      { text: 'What a storage promises', link: '/adapters/storage-promises' },
      { text: 'Dialects', link: '/adapters/dialect' },
    ],
  },
  {
    text: 'Reference of the routes',
    collapsed: true,
    items: [
      { text: 'All routes', link: '/reference/routes/' },
      { text: 'Chat completions', link: '/reference/routes/chat-completions' },
      { text: 'Generate content', link: '/reference/routes/generate' },
      { text: 'Embeddings', link: '/reference/routes/embeddings' },
      { text: 'Files', link: '/reference/routes/files' },
      { text: 'Caches', link: '/reference/routes/caches' },
      { text: 'Batches', link: '/reference/routes/batches' },
      { text: 'Videos', link: '/reference/routes/videos' },
      { text: 'Stores', link: '/reference/routes/stores' },
      { text: 'Documents', link: '/reference/routes/documents' },
      { text: 'Interactions', link: '/reference/routes/interactions' },
      { text: 'Agents', link: '/reference/routes/agents' },
      { text: 'Environments', link: '/reference/routes/environments' },
      { text: 'Realtime sessions', link: '/reference/routes/live' },
      { text: 'Webhooks', link: '/reference/routes/webhooks' },
      { text: 'Triggers', link: '/reference/routes/triggers' },
      { text: 'Account', link: '/reference/routes/account' },
      { text: 'Models', link: '/reference/routes/models' },
      { text: 'Requests and the description', link: '/reference/routes/requests' },
    ],
  },
  {
    text: 'Reference',
    collapsed: true,
    items: [
      { text: 'Errors', link: '/reference/errors' },
      { text: 'OpenAPI document', link: '/reference/openapi' },
      { text: 'Options of createGateway', link: '/reference/options' },
      { text: 'Functions of the administration', link: '/reference/administration-functions' },
      { text: 'The storage interface', link: '/reference/storage' },
      { text: 'The provider interface', link: '/reference/provider' },
      { text: 'Events', link: '/reference/events' },
      { text: 'API of the packages', link: '/api/' },
      { text: 'Decisions', link: '/decisions/' },
    ],
  },
];

export default defineConfig({
  title: 'Tollgate',
  description: 'A library for building metered AI gateways',
  lang: 'en',
  cleanUrls: true,
  // The date is that of the last commit, which a copy without the history does not have.
  lastUpdated: existsSync(path.join(import.meta.dirname, '../../.git')),
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' }]],
  // Written by the build beside the pages, and downloaded, not routed.
  ignoreDeadLinks: ['/openapi.json', '/admin-openapi.json', '/llms.txt', '/llms-full.txt'],
  markdown: { config: showImports },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        _render: renderSections,
        miniSearch: { _splitIntoSections: readSections, options: indexOptions, searchOptions },
      },
    },
    nav: [
      { text: 'Get started', link: '/get-started' },
      { text: 'Create a project', link: '/create' },
      { text: 'Comparison', link: '/comparison' },
      { text: 'API', link: '/api/' },
      { text: 'Decisions', link: '/decisions/' },
    ],
    sidebar,
    outline: { level: [2, 3] },
    ...editLinkOf(tollgate.repository.url),
  },
  buildEnd: ({ srcDir, outDir, site }) => writePlainText(srcDir, outDir, site.title, sidebar),
});
