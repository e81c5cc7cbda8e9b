// The fields of something, by name; what is null is left out.

export function FieldList({ fields }: { readonly fields: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="fields">
      {Object.entries(fields)
        .filter(([, value]) => value !== null && value !== '' && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'object' ? <pre>{JSON.stringify(value, null, 2)}</pre> : String(value)}</dd>
          </div>
        ))}
    </dl>
  );
}
