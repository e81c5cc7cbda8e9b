// A table that scrolls sideways where it is wider than the window, or whose rows are cards there.
import type { ComponentChildren } from 'preact';

interface ScrollTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  /** On a phone each row is a card, whose cells are named by their `data-label`. */
  readonly stacks?: true;
  /** The rows. */
  readonly children: ComponentChildren;
}

export function ScrollTable({ label, columns, stacks, children }: ScrollTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within reach of the keyboard
    <section class="scroll" tabIndex={0} aria-label={label}>
      <table class={stacks ? 'stacks' : undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
