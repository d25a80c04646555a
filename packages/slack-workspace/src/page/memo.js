import { Component } from 'preact';
import { html } from './html.js';

/**
 * Draws the component again only if a prop has changed. Otherwise each key press in the composer would draw hundreds of
 * messages again.
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
