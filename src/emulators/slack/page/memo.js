import { Component } from 'preact';
import { html } from './html.js';

/**
 * The component, drawn again only when a prop is another one than before. A channel holds hundreds of messages, and a
 * keystroke in the composer must not draw them all.
 * @template P
 * @param {import('preact').FunctionComponent<P>} Inner
 */
export function memo(Inner) {
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
      return html`<${Inner} ...${this.props} />`;
    }
  };
}
