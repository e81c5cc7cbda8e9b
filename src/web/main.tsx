// The page's first file: lets the browser in, then draws.
import { render } from 'preact';
import { App } from './app.tsx';
import { enter } from './api/access.ts';
import { applyTheme } from './lib/theme.ts';
import { followPushes } from './lib/push/browser-push.ts';
import { followLinks } from './lib/place.ts';

applyTheme();
followLinks();
followPushes();
enter().catch((error: unknown) => console.error(error));
const root = document.getElementById('app');
if (root) render(<App />, root);
