import { Component } from 'preact';
import { html } from '../html.js';
import { blockIdOf, blocksIn } from '../slack-json.js';
import { Input } from './input.js';
import { Markdown } from './markdown.js';
import { Actions, Context, Divider, Header, Image, Section } from './plain-blocks.js';
import { RichText } from './rich-text.js';

/** @import { DrawnBlock } from '../slack-json.js' */

/** Block type → its component; a type that is not here is named instead of drawn. */
const COMPONENTS = {
  section: Section,
  header: Header,
  divider: Divider,
  context: Context,
  image: Image,
  actions: Actions,
  input: Input,
  rich_text: RichText,
  markdown: Markdown,
};

/** @type {ReadonlyMap<string, unknown>} */
const byType = new Map(Object.entries(COMPONENTS));

/** @param {{ blocks: unknown }} props */
export function Blocks({ blocks }) {
  return html`<div class="blocks">
    ${blocksIn(blocks).map((block, index) => {
      const blockId = blockIdOf(block, index);
      return html`<${Boundary} key=${blockId} block=${block}><${Block} block=${block} blockId=${blockId} /><//>`;
    })}
  </div>`;
}

/** @param {{ block: DrawnBlock, blockId: string }} props */
function Block({ block, blockId }) {
  const component = byType.get(block.type);
  if (component === undefined) return html`<p class="not-drawn">Not drawn here: ${block.type}</p>`;
  return html`<${component} block=${block} blockId=${blockId} />`;
}

/** A block that cannot be drawn is named, and everything around it stays. */
class Boundary extends Component {
  /** @override */
  componentDidCatch() {
    this.setState({ failed: this.props.block });
  }

  /** @override */
  render() {
    const { block, children } = this.props;
    return this.state.failed === block
      ? html`<p class="not-drawn">Could not be drawn: ${block.type}</p>`
      : children;
  }
}
