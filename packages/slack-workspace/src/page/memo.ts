import { Component, type FunctionComponent } from 'preact';
import { html } from './html.ts';

/**
 * Draws the component again only if a prop has changed. Otherwise each key press in the composer would draw hundreds of
 * messages again.
 */
export function memo<P>(Wrapped: FunctionComponent<P>) {
  return class extends Component {
    override shouldComponentUpdate(next: Readonly<Record<string, unknown>>) {
      const before: Readonly<Record<string, unknown>> = this.props;
      const names = new Set([...Object.keys(before), ...Object.keys(next)]);
      return [...names].some((name) => before[name] !== next[name]);
    }

    override render() {
      return html`<${Wrapped} ...${this.props} />`;
    }
  };
}
