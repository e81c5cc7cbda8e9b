// What a browser is pushed, as JSON: made by the channel, shown by the page's worker.

/** A notification in a browser. */
export interface PushMessage {
  /** Of the delivery: the same when it is repeated. */
  readonly id: string;
  /** What has the same one is replaced. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  /** Unix ms. */
  readonly at: number;
  /** It makes no sound. */
  readonly quiet: boolean;
  /** Until the person does something about it. */
  readonly stays: boolean;
  /** It needs nobody any more, and goes soon. */
  readonly over: boolean;
  /** `action`: the reference and, after a space, its proof, which a press brings back. */
  readonly actions: readonly { readonly action: string; readonly title: string }[];
}
