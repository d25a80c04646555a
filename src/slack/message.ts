import type { ActionsBlock, ActionsBlockElement, ImageElement, KnownBlock } from '@slack/types';
import type { FetchFunction } from '@slack/web-api';
import { clip } from '../words.ts';
import { buildTextSections, context, escapeText, parseMenuChoice, plainSection, section } from './blocks.ts';
import { LIMITS } from './limits.ts';

/** A Slack message. Notifications and screen readers use only `text`, so `text` must make sense without the blocks. */
export interface Message {
  text: string;
  blocks?: KnownBlock[];
  /** The title of a modal that shows the message instead of another one. Slack doesn't get it with a message. */
  title?: string;
}

/** Options with which Slack doesn't turn parts of a message into links, mentions or previews. */
const NO_PARSING = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false } as const;

/** Returns the message without link parsing, mention parsing and previews, for chat methods or a response_url. */
export function disableParsing(message: Message): Message & typeof NO_PARSING {
  const { title: _title, ...sent } = message;
  return { ...sent, ...NO_PARSING };
}

export function addBlocks(message: Message, ...blocks: KnownBlock[]): Message & { blocks: KnownBlock[] } {
  return { ...message, blocks: [...(message.blocks ?? [section(message.text)]), ...blocks] };
}

/** The reply to a button whose record isn't stored any more, or isn't the actor's. */
export const BUTTON_UNAVAILABLE: Message = { text: 'This button isn’t yours, or it’s too old.' };

/** Builds that reply with what to do instead (mrkdwn). */
export function buildUnavailableMessage(advice: string): Message {
  return { text: `${BUTTON_UNAVAILABLE.text} ${advice}` };
}

/** Builds a message from `line`, plain text that quotes people, and `instructions` (mrkdwn), which say what to do. */
export function buildQuotingMessage(line: string, instructions?: string): Message {
  return {
    text: `${escapeText(line)} ${instructions ?? ''}`.trim(),
    blocks: [plainSection(line), ...(instructions === undefined ? [] : [section(instructions)])],
  };
}

/** More than the 8,000 characters or so that Slack sends with a command. */
const MAX_TYPED_SECTIONS = 4;

/** Quotes a typed line below a message, because Slack has emptied the message field. */
export function quoteTyped(message: Message, line: string): Message {
  return addBlocks(message, section('You typed:'), ...buildTextSections(line, MAX_TYPED_SECTIONS));
}

/** Builds a message about a failure, with the reference that is also in the log. `text`: mrkdwn, what to do. */
export function buildFailureMessage(text: string, reference: string): Message {
  const referenceText = renderReference(reference);
  return { text: `${text} ${referenceText}`, blocks: [section(text), context(referenceText)] };
}

export function renderReference(reference: string): string {
  return `If it keeps happening, give your admin this reference: ${reference}`;
}

/** Maximum number of texts in the result. */
const MAX_TEXTS = 6;
/** Maximum length of each plain text, in UTF-16 units. Plain texts may come from people. */
const MAX_EXCERPT_LENGTH = 100;

/** Builds the text of a message for notifications and screen readers from its first blocks. */
export function buildFallbackText(blocks: readonly KnownBlock[]): string {
  const texts = blocks.flatMap((block) => {
    if (block.type === 'section') return block.text ? [block.text] : [];
    return block.type === 'context' ? block.elements.filter((element) => element.type !== 'image') : [];
  });
  return texts
    .slice(0, MAX_TEXTS)
    .map(({ type, text }) =>
      // Texts in mrkdwn are short, because we write them. Formatting marks, emoji codes and the first emoji are removed.
      type === 'mrkdwn'
        ? text.replace(/[*`]|:\w+: |^\p{Extended_Pictographic}\uFE0F? /gu, '')
        : escapeText(clip(text, MAX_EXCERPT_LENGTH)),
    )
    .join(' ');
}

export function mapButtonValues(message: Message, convert: (value: string) => string): Message {
  const { blocks } = message;
  return blocks ? { ...message, blocks: blocks.map((block) => mapBlock(block, convert)) } : message;
}

function mapBlock(block: KnownBlock, convert: (value: string) => string): KnownBlock {
  if (block.type === 'actions') {
    return { ...block, elements: block.elements.map((element) => mapElement(element, convert)) };
  }
  if (block.type !== 'section' || !block.accessory) return block;
  return { ...block, accessory: mapElement(block.accessory, convert) };
}

function mapElement<Element extends { type: string }>(
  element: Element,
  convert: (value: string) => string,
): Element {
  const value = 'value' in element ? element.value : undefined;
  return element.type === 'button' && typeof value === 'string'
    ? { ...element, value: convert(value) }
    : element;
}

/** Returns the message without the buttons that the actor may not press. */
export function filterButtons(message: Message, mayPress: (actionId: string) => boolean): Message {
  const { blocks } = message;
  return blocks ? { ...message, blocks: blocks.flatMap((block) => filterBlock(block, mayPress)) } : message;
}

function filterBlock(block: KnownBlock, mayPress: (actionId: string) => boolean): KnownBlock[] {
  if (block.type === 'actions') {
    const elements = block.elements
      .map((element) => filterMenu(element, mayPress))
      .filter((element) => isAllowed(element, mayPress));
    const remainingBlock: ActionsBlock = { ...block, elements };
    return elements.length > 0 ? [remainingBlock] : [];
  }
  if (block.type !== 'section' || !block.accessory || isAllowed(block.accessory, mayPress)) return [block];
  const { accessory: _, ...rest } = block;
  return [rest];
}

/** Removes the entries of a card's menu that the actor may not press. */
function filterMenu<Element extends ActionsBlockElement>(
  element: Element,
  mayPress: (actionId: string) => boolean,
): Element {
  if (element.type !== 'overflow') return element;
  const options = element.options.filter(({ value = '' }) => {
    const choice = parseMenuChoice(element.action_id ?? '', value);
    return !choice || mayPress(choice.id);
  });
  return { ...element, options };
}

function isAllowed(element: object, mayPress: (actionId: string) => boolean): boolean {
  const id = 'action_id' in element ? element.action_id : undefined;
  if ('options' in element && Array.isArray(element.options) && element.options.length === 0) return false;
  return typeof id !== 'string' || mayPress(id);
}

/** The formats that Slack shows: https://docs.slack.dev/reference/block-kit/block-elements/image-element/ */
const PICTURE_PATH = /\.(?:png|jpe?g|gif)$/i;
/** A name that tells people nothing, such as that of a file from Slack. */
const RANDOM_NAME = /^[\w-]{32,}\./;
/** Slack's limit is 2,000. */
const MAX_ALT_LENGTH = 1_000;

/** Builds a thumbnail of a public picture on the web. Undefined if the address isn't one. We never fetch it. */
export function buildPicture(address: string | undefined, altText = ''): ImageElement | undefined {
  const url = URL.parse(address ?? '');
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  if (!PICTURE_PATH.test(url.pathname) || url.href.length > LIMITS.pictureAddress) return undefined;
  const name = url.pathname.split('/').at(-1) ?? '';
  return {
    type: 'image',
    image_url: url.href,
    alt_text: clip(altText.trim() || (RANDOM_NAME.test(name) ? 'Picture' : name), MAX_ALT_LENGTH),
  };
}

export function hasPictures(content: unknown): boolean {
  if (typeof content !== 'object' || content === null) return false;
  return isPicture(content) || Object.values(content).some(hasPictures);
}

/** Removes all pictures that Slack fetches from the web, from blocks or from a view. */
export function removePictures<Content>(content: Content): Content;
export function removePictures(content: unknown): unknown {
  if (Array.isArray(content)) return content.filter((item) => !isPicture(item)).map(removePictures);
  if (typeof content !== 'object' || content === null) return content;
  const fields = Object.entries(content).filter(([, value]) => !isPicture(value));
  return Object.fromEntries(fields.map(([name, value]) => [name, removePictures(value)]));
}

function isPicture(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'image_url' in value;
}

/**
 * Sends a message or view again without its pictures if Slack couldn't fetch one of them. Slack then refuses the whole
 * message: https://github.com/slackapi/python-slack-sdk/issues/1782
 */
export async function fetchWithoutRefusedPictures(
  send: (...request: Parameters<FetchFunction>) => Promise<Response>,
  ...[url, init]: Parameters<FetchFunction>
): ReturnType<FetchFunction> {
  const response = await send(url, init);
  const body = init?.body;
  if (typeof body !== 'string' || !body.includes('image_url')) return response;
  if (!(await response.clone().text()).includes('downloading image failed')) return response;
  const parameters = new URLSearchParams(body);
  for (const name of ['blocks', 'view']) {
    const content = parameters.get(name);
    if (content !== null) parameters.set(name, JSON.stringify(removePictures(JSON.parse(content))));
  }
  return send(url, { ...init, body: parameters.toString() });
}

/** Shown in the help and in the first form, while the emulator is in use. */
export const EMULATOR_NOTICE = 'Practice service: nothing is published.';

/** What the app says of itself to people who don’t know it. */
export const INTRODUCTION = 'Hi! I’m Upnext, and I schedule your team’s social posts.';
