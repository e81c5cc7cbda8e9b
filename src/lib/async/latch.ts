// Remembers that something happened until it is asked.

export interface Latch {
  readonly set: () => void;
  /** Whether it was set since this was last asked. */
  readonly take: () => boolean;
}

export function createLatch(): Latch {
  let isSet = false;
  return {
    set: () => {
      isSet = true;
    },
    take: () => {
      const was = isSet;
      isSet = false;
      return was;
    },
  };
}
