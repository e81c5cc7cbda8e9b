// The fields of something, by name; what is null is left out.

export function FieldList({ fields }: { readonly fields: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="fields">
      {Object.entries(fields)
        .filter(([, value]) => value !== null && value !== '' && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{isPlain(value) ? [value].flat().join(', ') : <pre>{JSON.stringify(value, null, 2)}</pre>}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A value, or a list of values. */
const isPlain = (value: unknown): boolean => [value].flat().every((one) => typeof one !== 'object');
