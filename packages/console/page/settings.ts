/** What the server said in the page, before any request. */
export interface Settings {
  readonly title: string;
  readonly signInUrl: string | null;
  readonly hasSignIn: boolean;
  readonly canTry: boolean;
}

const content = document.querySelector<HTMLMetaElement>('meta[name="tollgate-console"]')?.content ?? '{}';

/** Sound: the server of this page wrote it. */
export const settings = JSON.parse(content) as Settings;
