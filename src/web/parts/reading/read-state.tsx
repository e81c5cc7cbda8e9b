// What was read, or that it is being read, or why it could not be.
import type { ComponentChildren } from 'preact';
import type { Live } from '../../api/live.ts';
import { Loading } from './loading.tsx';
import { ReadProblem } from './read-problem.tsx';

interface ShownProps<T> {
  readonly of: Live<T>;
  readonly children: (value: T) => ComponentChildren;
}

export function Shown<T>({ of: { value, problem, refresh }, children }: ShownProps<T>) {
  if (value === undefined && problem === null) return <Loading />;
  return (
    <>
      <ReadProblem problem={problem} retry={refresh} />
      {value === undefined ? null : children(value)}
    </>
  );
}
