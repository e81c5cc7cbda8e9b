// Markdown of an agent, laid out from its blocks and spans: elements of ours, text of theirs.
import { type Block, markdownBlocks, type Span } from '../../lib/reading/markdown.ts';

/** Longest text that is laid out, in UTF-16 units; a longer one is shown as it was written. */
const LONGEST = 60_000;

export function Prose({ text }: { readonly text: string }) {
  if (text.length > LONGEST) return <pre>{text}</pre>;
  return (
    <>
      {markdownBlocks(text).map((block, at) => (
        <BlockShown key={at} block={block} />
      ))}
    </>
  );
}

function BlockShown({ block }: { readonly block: Block }) {
  if (block.type === 'rule') return <hr />;
  if (block.type === 'code')
    return (
      <pre>
        <code>{block.text}</code>
      </pre>
    );
  if (block.type === 'table') return <Table rows={block.rows} />;
  if (block.type === 'item')
    return (
      <p class={`item depth-${block.depth}`}>
        <span class="bullet">{/\d/.test(block.mark) ? block.mark : '•'}</span>
        <span>
          <Spans of={block.spans} />
        </span>
      </p>
    );
  if (block.type === 'quote')
    return (
      <blockquote>
        <Spans of={block.spans} />
      </blockquote>
    );
  return (
    <p class={block.type === 'heading' ? `prose-heading level-${Math.min(block.level, 3)}` : undefined}>
      <Spans of={block.spans} />
    </p>
  );
}

function Table({ rows }: { readonly rows: readonly (readonly (readonly Span[])[])[] }) {
  const [head = [], ...body] = rows;
  return (
    <table>
      <thead>
        <tr>
          {head.map((cell, at) => (
            <th key={at} scope="col">
              <Spans of={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {body.map((row, line) => (
          <tr key={line}>
            {row.map((cell, at) => (
              <td key={at}>
                <Spans of={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Spans({ of }: { readonly of: readonly Span[] }) {
  return (
    <>
      {of.map((span, at) => {
        if ('text' in span) return span.type === 'code' ? <code key={at}>{span.text}</code> : span.text;
        const Tag = span.type === 'strong' ? 'strong' : 'em';
        return (
          <Tag key={at}>
            <Spans of={span.spans} />
          </Tag>
        );
      })}
    </>
  );
}
