import type * as Slack from '@slack/types';
import { Component, type FunctionComponent } from 'preact';
import { isRecord } from '../../json.ts';
import { isWebUrl } from '../address.ts';
import { getControlId, useBlockContainer } from '../block-container.ts';
import { Button, FeedbackButtons, IconButton } from '../elements/button.ts';
import { Element } from '../elements/element.ts';
import { replaceEmojiCodes } from '../emoji.ts';
import { html } from '../html.ts';
import { Badge, Icon } from '../icon.ts';
import { renderLink, Text } from '../mrkdwn.ts';
import { Picture } from '../picture.ts';
import { getActionId, type PageBlock, readBlocks } from '../slack-json.ts';
import { Markdown } from './markdown.ts';
import { RichText } from './rich-text.ts';
import { DataTable, Table } from './table.ts';

function Section({ block, blockId }: { block: Slack.SectionBlock; blockId: string }) {
  const settings = { blockId, dispatches: true, label: block.text?.text };
  return html`<div class="section row">
    <div class="section-content">
      ${block.text ? html`<div class="section-text"><${Text} of=${block.text} /></div>` : null}
      ${
        block.fields
          ? html`<div class="section-fields">${block.fields.map((field) => html`<div class="section-field"><${Text} of=${field} /></div>`)}</div>`
          : null
      }
    </div>
    ${block.accessory ? html`<div class="section-accessory"><${Element} element=${block.accessory} settings=${settings} /></div>` : null}
  </div>`;
}

function Actions({ block, blockId }: { block: Slack.ActionsBlock; blockId: string }) {
  return html`<div class="actions row wrapping">
    ${block.elements.map((element) => {
      const label = 'placeholder' in element ? element.placeholder?.text : undefined;
      const settings = { blockId, dispatches: true, label };
      return html`<${Element} key=${getActionId(element)} element=${element} settings=${settings} />`;
    })}
  </div>`;
}

function Context({ block }: { block: Slack.ContextBlock }) {
  return html`<div class="row wrapping quiet">
    ${block.elements.map((element) =>
      element.type === 'image'
        ? html`<${Picture} image=${element} class="image-context" />`
        : html`<span><${Text} of=${element} /></span>`,
    )}
  </div>`;
}

function Header({ block }: { block: Slack.HeaderBlock }) {
  return html`<h3 class="header-block">${replaceEmojiCodes(block.text.text)}</h3>`;
}

function Divider() {
  return html`<hr class="divider" />`;
}

function Image({ block }: { block: Slack.ImageBlock }) {
  return html`<figure>
    ${block.title ? html`<figcaption class="quiet">${replaceEmojiCodes(block.title.text)}</figcaption>` : null}
    <${Picture} image=${block} class="image-large" />
  </figure>`;
}

function Input({ block, blockId }: { block: Slack.InputBlock; blockId: string }) {
  const { container, errors } = useBlockContainer();
  const error = errors[blockId];
  const id = getControlId(container, blockId);
  const labelId = `${id}label`;
  const described = [block.hint && `${id}hint`, error !== undefined && `${id}error`].filter(Boolean);
  const settings = {
    blockId,
    dispatches: block.dispatch_action === true,
    label: block.label.text,
    labelId,
    isOptional: block.optional === true,
    isInvalid: error !== undefined,
    describedBy: described.length > 0 ? described.join(' ') : undefined,
  };
  return html`<div class=${`input-block ${error === undefined ? '' : 'has-error'}`}>
    <label class="input-label" id=${labelId} for=${getControlId(container, blockId, getActionId(block.element))}>
      ${replaceEmojiCodes(block.label.text)}
      ${block.optional ? html`<span class="quiet"> (optional)</span>` : null}
    </label>
    <${Element} element=${block.element} settings=${settings} />
    ${error === undefined ? null : html`<p class="input-error problem" id=${`${id}error`}><${Badge} mark="!" />${replaceEmojiCodes(error)}</p>`}
    ${block.hint === undefined ? null : html`<p class="input-hint quiet" id=${`${id}hint`}>${replaceEmojiCodes(block.hint.text)}</p>`}
  </div>`;
}

const STATUS_TEXTS: Record<Slack.TaskCardBlock['status'], string> = {
  pending: 'Pending',
  in_progress: 'In progress',
  complete: 'Done',
  error: 'Failed',
};

const TASK_MARKS = { pending: '', in_progress: '', complete: '✓', error: '!' };

/** A task and its status. */
function TaskCard({
  block: { title, status, details, output, sources = [] },
}: {
  block: Slack.TaskCardBlock;
}) {
  return html`<div class=${`task task-${status}`}>
    <p class="row">
      <${Badge} mark=${TASK_MARKS[status]} />${title}<span class="quiet">${STATUS_TEXTS[status]}</span>
    </p>
    ${details ? html`<div class="task-text"><${RichText} block=${details} /></div>` : null}
    ${output ? html`<div class="task-text quiet"><${RichText} block=${output} /></div>` : null}
    ${
      sources.length > 0
        ? html`<ul class="task-text row wrapping" aria-label="Sources">
            ${sources.map(({ url, text }, index) => html`<li key=${index}>${isWebUrl(url) ? renderLink(url, text) : text}</li>`)}
          </ul>`
        : null
    }
  </div>`;
}

/** Tasks under one title. */
function Plan({ block: { title, tasks = [] } }: { block: Slack.PlanBlock }) {
  return html`<section class="plan box">
    <p class="card-title">${title}</p>
    <ol>${tasks.filter(isTask).map((task) => html`<li key=${task.task_id}><${TaskCard} block=${task} /></li>`)}</ol>
  </section>`;
}

const isTask = (task: unknown): task is Slack.TaskCardBlock =>
  isRecord(task) && typeof task.title === 'string';

/** The thumbnail of a video. A press opens the video in a new tab, because the page doesn't embed other sites. */
function Video({ block }: { block: Slack.VideoBlock }) {
  const { title, title_url, author_name, provider_name, provider_icon_url, description } = block;
  const credits = [provider_name, author_name].filter(Boolean).join(' · ');
  const name = replaceEmojiCodes(title.text);
  const thumbnail = { image_url: block.thumbnail_url, alt_text: block.alt_text };
  return html`<div class="video">
    ${
      credits === ''
        ? null
        : html`<p class="row quiet">
            ${provider_icon_url ? html`<${Picture} image=${{ image_url: provider_icon_url, alt_text: '' }} class="image-context" />` : null}
            ${credits}
          </p>`
    }
    <p class="card-title">${isWebUrl(title_url) ? renderLink(title_url, name) : name}</p>
    ${description ? html`<p>${replaceEmojiCodes(description.text)}</p>` : null}
    <div class="video-frame box">
      <${Picture} image=${thumbnail} class="video-picture" />
      ${
        isWebUrl(block.video_url)
          ? renderLink(
              block.video_url,
              html`<${Icon} name="play" /><span class="sr-only">Play ${name}</span>`,
              'video-play',
            )
          : null
      }
    </div>
  </div>`;
}

function Card({ block, blockId }: { block: Slack.CardBlock; blockId: string }) {
  const { hero_image, icon, title, subtitle, body, actions } = block;
  return html`<article class="card box">
    ${hero_image ? html`<${Picture} image=${hero_image} class="card-hero" />` : null}
    <div class="card-text">
      ${
        icon || title || subtitle
          ? html`<div class="row">
              ${icon ? html`<${Picture} image=${icon} class="card-icon" />` : null}
              <div>
                ${title ? html`<p class="card-title"><${Text} of=${title} /></p>` : null}
                ${subtitle ? html`<p class="quiet"><${Text} of=${subtitle} /></p>` : null}
              </div>
            </div>`
          : null
      }
      ${body ? html`<div><${Text} of=${body} /></div>` : null}
      ${
        actions
          ? html`<div class="actions row wrapping">
              ${actions.map((button) => html`<${Button} key=${getActionId(button)} element=${button} settings=${{ blockId, dispatches: true }} />`)}
            </div>`
          : null
      }
    </div>
  </article>`;
}

/** Cards in a row that scrolls sideways. */
function Carousel({ block }: { block: Slack.CarouselBlock }) {
  return html`<div class="carousel" role="group" aria-label="Cards" tabindex="0">
    ${block.elements.map((card) => html`<${Card} key=${card.block_id} block=${card} blockId=${card.block_id} />`)}
  </div>`;
}

type ContainerProps = { block: Slack.ContainerBlock; inner: FunctionComponent<{ blocks: unknown }> };

/** Blocks under one title. The app can allow people to collapse them. `inner` renders the blocks in the container. */
function Container({ block, inner }: ContainerProps) {
  const frame = `container box container-${block.width ?? 'standard'}`;
  const blocks = html`<div class="container-body"><${inner} blocks=${block.child_blocks} /></div>`;
  if (block.is_collapsible) {
    return html`<details class=${frame} open=${!block.default_collapsed}>
      <summary class="container-head row"><${Head} block=${block} /><${Icon} name="arrow" /></summary>
      ${blocks}
    </details>`;
  }
  return html`<section class=${frame}>
    <div class=${`container-head row ${block.has_header_divider ? 'has-divider' : ''}`}><${Head} block=${block} /></div>
    ${blocks}
  </section>`;
}

function Head({ block: { icon, title, rich_text_title, subtitle } }: { block: Slack.ContainerBlock }) {
  return html`${icon ? html`<${Picture} image=${icon} class="card-icon" />` : null}
    <div>
      <div class="card-title">
        ${rich_text_title ? html`<${RichText} block=${rich_text_title} />` : replaceEmojiCodes(title?.text ?? '')}
      </div>
      ${subtitle ? html`<div class="quiet"><${Text} of=${subtitle} /></div>` : null}
    </div>`;
}

/** A remote file. The block has only its id. */
function RemoteFile({ block }: { block: Slack.FileBlock }) {
  return html`<p class="file box row"><span class="file-icon" aria-hidden="true"></span><span>
    <span class="file-name">${block.external_id}</span><span class="description quiet">Remote file</span>
  </span></p>`;
}

function ContextActions({ block, blockId }: { block: Slack.ContextActionsBlock; blockId: string }) {
  return html`<div class="row">
    ${block.elements.map((element) => {
      const component = element.type === 'feedback_buttons' ? FeedbackButtons : IconButton;
      const settings = { blockId, dispatches: true };
      return html`<${component} key=${getActionId(element)} element=${element} settings=${settings} />`;
    })}
  </div>`;
}

/** Accessible name and mark of each level. */
const LEVELS = {
  default: ['Note', 'i'],
  info: ['Note', 'i'],
  warning: ['Warning', '!'],
  error: ['Error', '!'],
  success: ['Done', '✓'],
} as const;

function Alert({ block }: { block: Slack.AlertBlock }) {
  const level = block.level ?? 'default';
  const [label, mark] = LEVELS[level];
  return html`<div class=${`alert alert-${level}`} role="note" aria-label=${label}>
    <${Badge} mark=${mark} />
    <div><${Text} of=${block.text} /></div>
  </div>`;
}

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

const byType: ReadonlyMap<string, unknown> = new Map(Object.entries(COMPONENTS));

export function Blocks({ blocks }: { blocks: unknown }) {
  return html`<div class="blocks">
    ${readBlocks(blocks).map((block) => html`<${Boundary} key=${block.block_id} block=${block}><${Block} block=${block} /><//>`)}
  </div>`;
}

function Block({ block }: { block: PageBlock }) {
  const component = byType.get(block.type);
  if (component === undefined) return html`<p class="not-rendered quiet">Unknown block: ${block.type}</p>`;
  return html`<${component} block=${block} blockId=${block.block_id} inner=${Blocks} />`;
}

/** Catches errors of one block, so that the others are still shown. */
class Boundary extends Component<{ block: PageBlock }, { failed?: PageBlock }> {
  override componentDidCatch() {
    this.setState({ failed: this.props.block });
  }

  override render() {
    const { block, children } = this.props;
    return this.state.failed === block
      ? html`<p class="not-rendered quiet">This block couldn’t be shown: ${block.type}</p>`
      : children;
  }
}
