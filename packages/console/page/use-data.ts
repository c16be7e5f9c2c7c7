import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from './api.ts';
import { signedOut } from './signed-out.ts';

/** What a view has of its data. */
export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'ready'; readonly value: T };

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Loads data when its key changes, and again on demand; what is shown stays until the new data is there. */
export const useData = <T>(key: string, load: () => Promise<T>): readonly [Loaded<T>, () => void] => {
  const [state, setState] = useState<{ readonly key: string; readonly loaded: Loaded<T> }>({
    key,
    loaded: { kind: 'loading' },
  });
  const turn = useRef(0);
  const run = useCallback(() => {
    const mine = (turn.current += 1);
    const show = (loaded: Loaded<T>): void => {
      if (turn.current === mine) setState({ key, loaded });
    };
    load().then(
      (value) => show({ kind: 'ready', value }),
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 401) signedOut();
        show({ kind: 'failed', error: asError(error) });
      },
    );
  }, [key]);
  useEffect(run, [run]);
  return [state.key === key ? state.loaded : { kind: 'loading' }, run];
};
