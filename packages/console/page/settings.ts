/** What the server said in the page, before any request. */
export interface Settings {
  readonly title: string;
  readonly signInUrl: string | null;
  readonly hasSignIn: boolean;
  readonly canTry: boolean;
}

const read = (content: string): Settings => {
  const given: unknown = JSON.parse(content);
  const member = (name: string): unknown =>
    typeof given === 'object' && given !== null ? Reflect.get(given, name) : undefined;
  const [title, signInUrl] = [member('title'), member('signInUrl')];
  return {
    title: typeof title === 'string' ? title : 'Console',
    signInUrl: typeof signInUrl === 'string' ? signInUrl : null,
    hasSignIn: member('hasSignIn') === true,
    canTry: member('canTry') === true,
  };
};

export const settings = read(document.querySelector<HTMLMetaElement>('meta[name="tollgate-console"]')?.content ?? '{}');
