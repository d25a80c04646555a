import { Component } from 'preact';
import { html } from './html.js';

/**
 * Draws the component again only if a prop has changed. A channel holds hundreds of messages, and a
 * keystroke in the composer must not draw them all.
 * @template P
 * @param {import('preact').FunctionComponent<P>} Wrapped
 */
export function memo(Wrapped) {
  return class extends Component {
    /**
     * @override
     * @param {Readonly<Record<string, unknown>>} next
     */
    shouldComponentUpdate(next) {
      /** @type {Readonly<Record<string, unknown>>} */
      const before = this.props;
      const names = new Set([...Object.keys(before), ...Object.keys(next)]);
      return [...names].some((name) => before[name] !== next[name]);
    }

    /** @override */
    render() {
      return html`<${Wrapped} ...${this.props} />`;
    }
  };
}
