import { script, style } from '#page';
import { pageHeaders } from './page-headers.ts';

/** A file of the page, under a name that changes with its content. */
interface PageFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

const hashCharacters = 16;

const hashOf = async (text: string): Promise<string> => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, hashCharacters);
};

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0f766e"/><path d="M7 11h18M7 21h18M11 7v18M21 7v18" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>`;

const fileOf = async (stem: string, extension: string, type: string, text: string): Promise<PageFile> => ({
  name: `${stem}.${await hashOf(text)}.${extension}`,
  type,
  text,
});

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** What the page has to know before its first request. */
export interface PageSettings {
  readonly title: string;
  /** Where visitors sign in, if not on the page itself. */
  readonly signInUrl: string | null;
  /** Whether the page offers its own form to sign in. */
  readonly hasSignIn: boolean;
  /** Whether the page can send calls to the gateway. */
  readonly canTry: boolean;
}

const markup = (settings: PageSettings, files: { readonly [N in 'script' | 'style' | 'icon']: PageFile }): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="tollgate-console" content="${escaped(JSON.stringify(settings))}">
<title>${escaped(settings.title)}</title>
<link rel="icon" href="${files.icon.name}">
<link rel="stylesheet" href="${files.style.name}">
<script type="module" src="${files.script.name}"></script>
</head>
<body><noscript>This console needs JavaScript.</noscript><div id="app"></div></body>
</html>
`;

const yearSeconds = 31_536_000;

/** The page and its files as responses, or null for any other name. */
export const pageFiles = (settings: PageSettings): ((name: string) => Promise<Response | null>) => {
  const loading = (async () => {
    const files = {
      script: await fileOf('console', 'js', 'text/javascript; charset=utf-8', script),
      style: await fileOf('console', 'css', 'text/css; charset=utf-8', style),
      icon: await fileOf('icon', 'svg', 'image/svg+xml', icon),
    };
    return { byName: new Map(Object.values(files).map((file) => [file.name, file])), html: markup(settings, files) };
  })();
  return async (name) => {
    const { byName, html } = await loading;
    if (name === '')
      return new Response(html, {
        headers: { ...pageHeaders, 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' },
      });
    const file = byName.get(name);
    if (file === undefined) return null;
    const cached = `public, max-age=${yearSeconds}, immutable`;
    return new Response(file.text, {
      headers: { ...pageHeaders, 'cache-control': cached, 'content-type': file.type },
    });
  };
};
