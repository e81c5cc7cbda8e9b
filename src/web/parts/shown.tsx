// What was read, or that it is being read, or why it could not be.
import type { ComponentChildren } from 'preact';
import type { Live } from '../api/live.ts';

interface ShownProps<T> {
  readonly of: Live<T>;
  readonly children: (value: T) => ComponentChildren;
}

export function Shown<T>({ of: { value, problem, refresh }, children }: ShownProps<T>) {
  if (value === undefined && problem === null)
    return (
      <div class="skeleton" role="status">
        <span class="hidden">Loading</span>
      </div>
    );
  return (
    <>
      {problem === null ? null : (
        <p class="problem" role="alert">
          {problem}.{' '}
          <button type="button" onClick={refresh}>
            Try again
          </button>
        </p>
      )}
      {value === undefined ? null : children(value)}
    </>
  );
}
