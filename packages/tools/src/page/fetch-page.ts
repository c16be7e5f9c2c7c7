import type { PdfReader } from '@tollgate/engine';
import { readAnswer, type Egress, type EgressRefusal, type GuardedRequest, type OpenAnswer } from '@tollgate/node';
import type { PageReader } from '../page-text.ts';
import { decodeText, unpackBody } from './decode-body.ts';

/** What was found at an address. */
export type FetchedPage =
  | {
      readonly kind: 'read';
      readonly url: string;
      readonly title: string;
      readonly text: string;
      readonly isCut: boolean;
    }
  /** The address, or one that it redirects to, lies where requests do not go. `wasAsked` where it is only the latter. */
  | { readonly kind: 'unsafe'; readonly why: string; readonly wasAsked: boolean }
  /** Nothing readable came. */
  | { readonly kind: 'error'; readonly why: string };

export interface PageFetcher {
  readonly egress: Egress;
  readonly readPage: PageReader;
  readonly readPdf: PdfReader;
  readonly userAgent: string;
  readonly deadlineMs: number;
  readonly textBytesMax: number;
  readonly pdfBytesMax: number;
}

export interface PageRequest {
  readonly url: string;
  readonly charactersMax: number;
  /** Who asks may not go everywhere. */
  readonly mayAsk: NonNullable<GuardedRequest['admit']>;
  readonly signal: AbortSignal;
  /** Whose page it is: projects take turns at the readers. */
  readonly projectId: string;
}

const redirectsMax = 5;
const accept =
  'text/html, application/xhtml+xml, text/plain, application/json, application/pdf, text/*;q=0.5, */*;q=0.1';

type PageKind = 'html' | 'text' | 'pdf';

const htmlTypes = new Set(['text/html', 'application/xhtml+xml']);
const textTypes = new Set(['application/json', 'application/xml', 'application/javascript', 'application/yaml']);

const kindOf = (contentType: string): PageKind | undefined => {
  const [type = ''] = contentType.split(';');
  const name = type.trim().toLowerCase();
  if (htmlTypes.has(name)) return 'html';
  if (name === 'application/pdf') return 'pdf';
  return name.startsWith('text/') || textTypes.has(name) || /\+(?:json|xml)$/u.test(name) ? 'text' : undefined;
};

const failed = (why: string): FetchedPage => ({ kind: 'error', why });

const titleOf = (url: URL): string => `${url.hostname}${url.pathname}`.slice(0, 300);

const readPdfText = async (
  { readPdf }: PageFetcher,
  bytes: Uint8Array,
  { charactersMax, signal }: PageRequest,
): Promise<Pick<Extract<FetchedPage, { kind: 'read' }>, 'text' | 'isCut'> | undefined> => {
  const source = async function* (): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes);
  };
  const found = await readPdf(source, signal);
  if (found.kind !== 'read') return undefined;
  const text = found.pages.map((page) => page.text).join('\n\n');
  return { text: text.slice(0, charactersMax).toWellFormed(), isCut: text.length > charactersMax };
};

const readBody = async (
  fetcher: PageFetcher,
  answer: OpenAnswer,
  request: PageRequest,
  kind: PageKind,
): Promise<FetchedPage> => {
  const bytesMax = kind === 'pdf' ? fetcher.pdfBytesMax : fetcher.textBytesMax;
  const { bytes: packed, isWhole } = await readAnswer(answer, bytesMax);
  const bytes = await unpackBody(packed, answer.headers['content-encoding'], bytesMax);
  if (bytes === undefined || (kind === 'pdf' && !isWhole)) return failed('It is too large, or came incomplete.');
  const url = answer.url.href;
  const contentType = answer.headers['content-type'] ?? '';
  switch (kind) {
    case 'html': {
      const page = await fetcher.readPage(decodeText(bytes, contentType), request.charactersMax, request);
      if (page === undefined) return failed('The page cannot be read.');
      return { ...page, kind: 'read', url, title: page.title || titleOf(answer.url), isCut: page.isCut || !isWhole };
    }
    case 'text': {
      const text = decodeText(bytes, contentType);
      const isCut = !isWhole || text.length > request.charactersMax;
      const cut = text.slice(0, request.charactersMax).toWellFormed();
      return { kind: 'read', url, title: titleOf(answer.url), text: cut, isCut };
    }
    case 'pdf': {
      const read = await readPdfText(fetcher, bytes, request);
      if (read === undefined) return failed('The PDF cannot be read.');
      return { kind: 'read', url, title: titleOf(answer.url), ...read };
    }
  }
};

const whyRefused = (reason: EgressRefusal): string =>
  reason === 'not_allowed'
    ? 'The network of the environment does not allow the address.'
    : 'The address is not one of the public web.';

/** Fetches what lies at an address and returns its readable text. Throws only where the caller has given up. */
export const fetchPage = async (fetcher: PageFetcher, request: PageRequest): Promise<FetchedPage> => {
  let addresses = 0;
  const answer = await fetcher.egress.open({
    url: request.url,
    headers: { accept, 'accept-encoding': 'identity', 'user-agent': fetcher.userAgent },
    deadlineMs: fetcher.deadlineMs,
    redirectsMax,
    admit: (url) => {
      addresses += 1;
      return request.mayAsk(url);
    },
    signal: request.signal,
  });
  request.signal.throwIfAborted();
  if (answer.kind === 'refused') return { kind: 'unsafe', why: whyRefused(answer.reason), wasAsked: addresses > 1 };
  if (answer.kind === 'unreachable') return failed('No server responded in time.');
  const kind = kindOf(answer.headers['content-type'] ?? '');
  if (answer.status < 200 || answer.status > 299 || kind === undefined) {
    answer.close();
    return failed(
      kind === undefined ? 'It is nothing that can be read as text.' : `The server answered ${answer.status}.`,
    );
  }
  return readBody(fetcher, answer, request, kind);
};
