import { useEffect, useState } from 'preact/hooks';

/** Where the visitor is: the parts of the address behind `#/`, and its query. */
export interface Place {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

const read = (): Place => {
  const [path = '', search = ''] = location.hash.replace(/^#\/?/u, '').split('?', 2);
  return {
    parts: path
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent),
    query: new URLSearchParams(search),
  };
};

/** The current place; the view follows the address, so that every view can be linked and gone back to. */
export const usePlace = (): Place => {
  const [place, setPlace] = useState(read);
  useEffect(() => {
    const follow = (): void => setPlace(read());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place;
};

/** The link to a view. */
export const linkTo = (...parts: readonly string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`;
