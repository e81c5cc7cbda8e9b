// A sentence of Belfry's with its commands as code: what stands between backticks.
import { shownText } from '../../lib/shown-text.ts';

/** Bounded, so that no text takes long. */
const CODE = /`([^`\n]{1,300})`/;

export function WithCode({ text }: { readonly text: string }) {
  return (
    <>
      {shownText(text)
        .split(CODE)
        .map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}
    </>
  );
}
