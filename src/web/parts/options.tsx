// What a choice offers.

/** Each with its value and its text. */
export function Options({ of }: { readonly of: readonly (readonly [value: string, text: string])[] }) {
  return (
    <>
      {of.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </>
  );
}
