// Node's own pipe handle, without node:net around it: loading that module would add a tenth to each hook run. The handle has
// kept this shape since Node 12; where it is missing one day, callers get null and use what is public.

interface Handle {
  open(fd: number): number;
  connect(request: object, path: string): number;
  readStart(): number;
  writeBuffer(request: object, bytes: Uint8Array): number;
  onread: (bytes?: ArrayBuffer) => void;
}

interface WriteRequest {
  oncomplete: () => void;
  bytes: Uint8Array;
}

interface Bindings {
  readonly pipe_wrap: {
    readonly Pipe: new (type: number) => Handle;
    readonly PipeConnectWrap: new () => { oncomplete: (status: number) => void };
  };
  readonly stream_wrap: {
    readonly WriteWrap: new () => WriteRequest;
    readonly streamBaseState?: ArrayLike<number>;
    readonly kLastWriteWasAsync?: number;
  };
}

/** A stream of bytes. */
export interface Pipe {
  /** Calls back with each chunk, and with null once at the end or on an error. */
  readonly read: (take: (chunk: Buffer | null) => void) => void;
  /** For {@link written}. */
  readonly write: (bytes: Uint8Array) => WriteRequest;
}

function load<Name extends keyof Bindings>(name: Name): Bindings[Name] {
  // Not in Node's types, since it is internal; where Node is configured to warn of that, the hook stays silent.
  process.noDeprecation = true;
  return (process as unknown as { binding(name: Name): Bindings[Name] }).binding(name);
}

function wrap(handle: Handle): Pipe {
  return {
    read: (take) => {
      handle.onread = (bytes) => take(bytes ? Buffer.from(bytes) : null);
      if (handle.readStart()) take(null);
    },
    write: (bytes) => {
      const request = new (load('stream_wrap').WriteWrap)();
      request.bytes = bytes; // kept from the garbage collector until it is written
      request.oncomplete = () => undefined; // whoever waits for it says so
      handle.writeBuffer(request, bytes);
      return request;
    },
  };
}

/** Resolves once the system has what was just written, in the same turn, or nobody reads any more. */
export function written(request: WriteRequest): Promise<void> {
  return new Promise((resolve) => {
    const { streamBaseState, kLastWriteWasAsync } = load('stream_wrap');
    // What was written at once, or not at all, completes no more.
    if (!streamBaseState?.[kLastWriteWasAsync ?? -1]) resolve();
    else request.oncomplete = resolve;
  });
}

/** A pipe or local socket that this process has open already; null when that does not work here. */
export function openPipe(fd: number): Pipe | null {
  try {
    const handle = new (load('pipe_wrap').Pipe)(0);
    return handle.open(fd) ? null : wrap(handle);
  } catch {
    return null;
  }
}

/** Connects to a local socket; null when nobody listens. Rejects when that does not work here. */
export function connectPipe(path: string): Promise<Pipe | null> {
  return new Promise((resolve) => {
    const { Pipe, PipeConnectWrap } = load('pipe_wrap');
    const handle = new Pipe(0);
    const request = new PipeConnectWrap();
    request.oncomplete = (status) => resolve(status ? null : wrap(handle));
    if (handle.connect(request, path)) resolve(null);
  });
}
