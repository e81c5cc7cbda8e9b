// Holds what cannot be drawn to its own place: one odd row is no reason to show nothing.
import { Component, type ComponentChildren } from 'preact';
import { upgraded } from '../api/stream.ts';

interface BoundaryProps {
  /** What is drawn within, at the beginning of a sentence. */
  readonly what: string;
  readonly children: ComponentChildren;
}

export class Boundary extends Component<BoundaryProps, { readonly failed: boolean }> {
  static override getDerivedStateFromError = (): { readonly failed: boolean } => ({ failed: true });

  override componentDidCatch(error: unknown): void {
    console.warn(error); // the words below say what to do
  }

  override render() {
    if (this.state.failed !== true) return this.props.children;
    return (
      <p class="problem" role="alert">
        {this.props.what} cannot be shown here{upgraded.value ? ', as Belfry was upgraded meanwhile' : ''}.{' '}
        <button type="button" onClick={() => location.reload()}>
          Load the page again
        </button>
      </p>
    );
  }
}
