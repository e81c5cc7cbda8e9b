// Hands each value to all who listen: what is built first can reach what is built from it.

/** One kind of value. */
export interface Emitter<T> {
  /** Returns when every listener has; without listeners the value is lost. */
  readonly emit: (value: T) => void;
  /** Adds a listener, which must not throw. */
  readonly on: (listener: (value: T) => void) => void;
}

/** Nobody listens yet. */
export function createEmitter<T>(): Emitter<T> {
  const listeners: ((value: T) => void)[] = [];
  return {
    emit: (value) => {
      for (const listener of listeners) listener(value);
    },
    on: (listener) => void listeners.push(listener),
  };
}
