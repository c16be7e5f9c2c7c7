import { defineConfig } from 'vitepress';

const sidebar = [
  {
    text: 'Start',
    items: [
      { text: 'What it is', link: '/' },
      { text: 'Get started', link: '/get-started' },
      { text: 'Glossary', link: '/glossary' },
    ],
  },
  {
    text: 'Concepts',
    items: [
      { text: 'The life of an operation', link: '/concepts/operation-life' },
      { text: 'The life of a resource', link: '/concepts/resources' },
      { text: 'Credits', link: '/concepts/credits' },
      { text: 'Metering', link: '/concepts/metering' },
      { text: 'Media', link: '/concepts/media' },
      { text: 'Idempotency', link: '/concepts/identity' },
      { text: 'Secrets at rest', link: '/concepts/secrets' },
      { text: 'Hostile bodies', link: '/concepts/hostile-bodies' },
      { text: 'What revoking stops', link: '/concepts/revocation' },
      { text: 'Quotas', link: '/concepts/quotas' },
      { text: 'Security', link: '/security' },
    ],
  },
  {
    text: 'Routes',
    items: [
      { text: 'Chat completions', link: '/routes/chat' },
      { text: 'Generate content', link: '/routes/generate' },
      { text: 'Streaming', link: '/routes/streaming' },
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
      { text: 'Interactions and agents', link: '/routes/interactions' },
      { text: 'Environments', link: '/routes/environments' },
      { text: 'Realtime sessions', link: '/routes/live' },
      { text: 'Webhooks', link: '/webhooks' },
      { text: 'Triggers', link: '/triggers' },
      { text: 'Account', link: '/routes/account' },
      { text: 'Models and requests', link: '/routes/models-and-requests' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'Clients', link: '/clients' },
      { text: 'Google clients', link: '/google-clients' },
      { text: 'Hosting', link: '/hosting' },
      { text: 'Build a business on it', link: '/business' },
      { text: 'Administration over HTTP', link: '/administration' },
      { text: 'Console', link: '/console' },
      { text: 'Elements', link: '/elements' },
      { text: 'Hooks', link: '/hooks' },
      { text: 'Accounts, keys and limits', link: '/keys' },
      { text: 'Callers of your own', link: '/callers' },
      { text: 'Prices', link: '/prices' },
      { text: 'Limits', link: '/limits' },
      { text: 'Payments', link: '/payments' },
      { text: 'Tools', link: '/tools' },
      { text: 'Usage and statements', link: '/usage' },
      { text: 'Operating', link: '/operating' },
      { text: 'Observability', link: '/observability' },
      { text: 'Reconciling', link: '/reconciling' },
      { text: 'Scaling', link: '/scaling' },
    ],
  },
  {
    text: 'Adapters',
    items: [
      { text: 'Storage', link: '/adapters/storage' },
      { text: 'What a storage promises', link: '/adapters/storage-promises' },
      { text: 'Blobs', link: '/adapters/blobs' },
      { text: 'Provider', link: '/adapters/provider' },
      { text: 'Promises of a provider', link: '/adapters/provider-promises' },
      { text: 'Dialects', link: '/adapters/dialect' },
      { text: 'The sandbox', link: '/adapters/sandbox' },
      { text: 'OpenAI and compatible servers', link: '/adapters/openai' },
      { text: 'The Gemini API', link: '/adapters/google' },
      { text: 'The Anthropic API', link: '/adapters/anthropic' },
      { text: 'AI SDK models', link: '/adapters/ai-sdk' },
      { text: 'Writing a provider', link: '/providers/writing-a-provider' },
      { text: 'Routing between providers', link: '/providers/routing' },
      { text: 'Ledger and idempotency store', link: '/adapters/ledger-and-identities' },
      { text: 'Proving a whole gateway', link: '/adapters/gateway-suite' },
    ],
  },
  {
    text: 'Reference',
    items: [
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
  lastUpdated: false,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' }]],
  // Written by the build beside the pages, and downloaded, not routed.
  ignoreDeadLinks: ['/openapi.json'],
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // A page that explains a thing comes before the pages of the API that only name it. The browser gets the text of this
        // function, so that it can use nothing from outside.
        miniSearch: { searchOptions: { boostDocument: (id: string) => (id.startsWith('/api/') ? 0.1 : 1) } },
      },
    },
    nav: [
      { text: 'Get started', link: '/get-started' },
      { text: 'API', link: '/api/' },
      { text: 'Decisions', link: '/decisions/' },
    ],
    sidebar,
    outline: { level: [2, 3] },
  },
});
