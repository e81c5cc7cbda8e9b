// A page that is loaded when somebody goes there: what few look at, nobody else waits for.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading } from './reading/loading.tsx';

interface LazyPageProps {
  readonly load: () => Promise<ComponentType>;
}

type Loaded = { readonly Page: ComponentType } | { readonly error: unknown };

/** Throws where it cannot be loaded, as after an upgrade: the boundary around it says what to do. */
export function LazyPage({ load }: LazyPageProps) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  useEffect(() => {
    load().then(
      (Page) => setLoaded({ Page }),
      (error: unknown) => setLoaded({ error }),
    );
  }, []);
  if (loaded === null) return <Loading tall />;
  if ('error' in loaded) throw loaded.error;
  return <loaded.Page />;
}
