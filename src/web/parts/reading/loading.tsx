// A place that is still being read.

/** `tall`: it stands for a whole list. */
export function Loading({ tall = false }: { readonly tall?: boolean }) {
  return (
    <div class={tall ? 'skeleton tall' : 'skeleton'} role="status">
      <span class="hidden">Loading</span>
    </div>
  );
}
