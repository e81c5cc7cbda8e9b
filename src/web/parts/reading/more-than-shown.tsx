// Says that there is more than is shown.
export function Incomplete({ complete }: { readonly complete: boolean }) {
  if (complete) return null;
  return (
    <p class="warning">
      The service has more than is read here at once: <code>belfry api</code> with <code>--all</code> has all of it.
    </p>
  );
}
