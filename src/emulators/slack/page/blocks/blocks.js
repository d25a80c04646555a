import { Component } from 'preact';
import { html } from '../html.js';
import { getBlockId, readBlocks } from '../slack-json.js';
import { Alert } from './alert.js';
import { Actions, Context, Divider, Header, Image, Section } from './basic-blocks.js';
import { Card, Carousel } from './card.js';
import { Container } from './container.js';
import { ContextActions } from './context-actions.js';
import { DataTable } from './data-table.js';
import { RemoteFile } from './file.js';
import { Input } from './input.js';
import { Markdown } from './markdown.js';
import { getNestedId } from './nested-id.js';
import { RichText } from './rich-text.js';
import { Table } from './table.js';
import { Plan, TaskCard } from './task-card.js';
import { Video } from './video.js';

/** @import { PageBlock } from '../slack-json.js' */

/** The component of each block type. For unknown types, the page shows the type's name. */
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
  alert: Alert,
  card: Card,
  carousel: Carousel,
  container: Container,
  context_actions: ContextActions,
  table: Table,
  data_table: DataTable,
  task_card: TaskCard,
  plan: Plan,
  video: Video,
  file: RemoteFile,
};

/** @type {ReadonlyMap<string, unknown>} */
const byType = new Map(Object.entries(COMPONENTS));

/** @param {{ blocks: unknown, within?: string }} props `within`: the id of the block that contains these */
export function Blocks({ blocks, within }) {
  return html`<div class="blocks">
    ${readBlocks(blocks).map((block, index) => {
      const blockId = within === undefined ? getBlockId(block, index) : getNestedId(block, within, index);
      return html`<${Boundary} key=${blockId} block=${block}><${Block} block=${block} blockId=${blockId} /><//>`;
    })}
  </div>`;
}

/** @param {{ block: PageBlock, blockId: string }} props */
function Block({ block, blockId }) {
  const component = byType.get(block.type);
  if (component === undefined) return html`<p class="not-rendered">Unknown block: ${block.type}</p>`;
  return html`<${component} block=${block} blockId=${blockId} inner=${Blocks} />`;
}

/** Catches errors of one block, so that the others are still shown. */
class Boundary extends Component {
  /** @override */
  componentDidCatch() {
    this.setState({ failed: this.props.block });
  }

  /** @override */
  render() {
    const { block, children } = this.props;
    return this.state.failed === block
      ? html`<p class="not-rendered">This block couldn’t be shown: ${block.type}</p>`
      : children;
  }
}
