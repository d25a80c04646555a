import type {
  ActionsBlock,
  ActionsBlockElement,
  Button,
  ContextBlock,
  DividerBlock,
  HeaderBlock,
  KnownBlock,
  MrkdwnElement,
  Overflow,
  PlainTextElement,
  PlainTextOption,
  SectionBlock,
} from '@slack/types';
import { clip } from '../words.ts';
import { LIMITS } from './limits.ts';
import { normalizeLook } from './name.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const CHARACTERS: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Unicode's Bidi_Control property: https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters */
const BIDI_CONTROLS = /\p{Bidi_Control}/gu;

/** Removes the characters that change the writing direction of the text around them. */
function stripBidiControls(text: string): string {
  return text.replace(BIDI_CONTROLS, '');
}

/**
 * Escapes text from people or from the service for a mrkdwn object. No part of the result becomes a mention, a link or
 * a broadcast, or changes the writing direction of the text around it:
 * https://docs.slack.dev/messaging/formatting-message-text/#escaping
 */
export function escapeText(text: string): string {
  return stripBidiControls(text.toWellFormed()).replace(
    /[&<>]/g,
    (character) => ENTITIES[character] ?? character,
  );
}

/** Lookalikes of formatting marks. Slack has no escape for them: https://github.com/slackhq/slack-api-docs/issues/34 */
const LOOKALIKES: Readonly<Record<string, string>> = { '*': '∗', _: 'ˍ', '~': '∼', '`': 'ˋ', ':': '∶' };

/** Addresses, which stay as they are, and formatting marks. */
const ADDRESS_OR_MARK =
  /https?:\/\/\S*[\p{L}\p{N}/]|[*~`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=[\w+'-]+:)/giu;

/**
 * Escapes an excerpt of a text from people for a mrkdwn object, without formatting, quotes and emoji codes. Slack links
 * an address, which would lead elsewhere with a lookalike in it.
 */
export function escapeFormatting(text: string): string {
  return escapeText(text)
    .replace(ADDRESS_OR_MARK, (match) => LOOKALIKES[match] ?? match)
    .replace(/^&gt;/gm, '›');
}

/** Cuts an escaped text to `limit` UTF-16 units, including the ellipsis. Never splits an entity. */
export function clipEscaped(escaped: string, limit: number): string {
  return clip(escaped, limit).replace(/&[a-z]{0,3}…$/, '…');
}

/** Decodes the entities for `& < >`, which Slack escapes in typed text. */
export function unescapeText(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => CHARACTERS[entity] ?? entity);
}

/** The joiner that makes one emoji of several, such as 🧑‍🔧. */
const JOINER = '(?<=\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|\\ufe0f)\\u200d\\p{Extended_Pictographic}';
/** The letters after 🏴 that make another flag of it, such as England's, and their end. */
const FLAG_LETTER = '[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]';
const OF_FLAG = `(?<=\\u{1F3F4}${FLAG_LETTER}{0,6})${FLAG_LETTER}{0,6}\\u{E007F}`;

/** Invisible characters that are in no emoji. */
const INVISIBLE = new RegExp(`(?!${JOINER}|${OF_FLAG})\\p{Cf}`, 'gu');

/** Turns typed text into one line for quoting, without control, invisible or bidi control characters. */
export function sanitizeLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(INVISIBLE, '')
    .trim();
}

/** Maximum length of a name or a quote in a sentence. */
const MAX_NAME_LENGTH = 60;

/** Turns typed text into one line of at most `limit` UTF-16 units, see `sanitizeLine`. */
export function clipLine(text: string, limit: number = MAX_NAME_LENGTH): string {
  return clip(sanitizeLine(text), limit);
}

/** Builds a plain-text object, which Slack doesn't parse. Use it for text from people and from the service. */
export function plain(text: string, limit: number = LIMITS.sectionText): PlainTextElement {
  // Slack refuses an empty text object and half of a surrogate pair.
  return { type: 'plain_text', text: clip(text.toWellFormed(), limit) || ' ', emoji: false };
}

/** Builds a mrkdwn object. The caller must escape text from people and from the service. */
function mrkdwn(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text: clip(text.toWellFormed(), LIMITS.sectionText) || ' ', verbatim: true };
}

export function section(text: string): SectionBlock {
  return { type: 'section', text: mrkdwn(text) };
}

/** Builds a section of plain text, which shows text from people or from the service unchanged. */
export function plainSection(text: string): SectionBlock {
  return { type: 'section', text: plain(text) };
}

/** Shows people texts of theirs that may be stored nowhere. Empty if all are blank. */
export function renderTypedTexts(...texts: readonly string[]): SectionBlock[] {
  const quotes = texts.filter((text) => text.trim() !== '').map(plainSection);
  return quotes.length === 0 ? [] : [section('This is what you wrote:'), ...quotes];
}

/**
 * Builds as many sections of plain text as a long text needs, and says how many characters are left out. No section
 * ends within a surrogate pair. Empty for a blank text.
 */
export function buildTextSections(text: string, maxSections: number): KnownBlock[] {
  const { length } = text.trimEnd();
  const pieces: string[] = [];
  let start = 0;
  while (pieces.length < maxSections && start < length) {
    const end = start + LIMITS.sectionText;
    const isWithinPair = /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < length;
    pieces.push(text.slice(start, isWithinPair ? end - 1 : end));
    start = isWithinPair ? end - 1 : end;
  }
  const hiddenLength = length - start;
  return [
    // Slack refuses a blank section.
    ...pieces.filter((piece) => piece.trim() !== '').map(plainSection),
    ...(hiddenLength > 0
      ? [context(`…and ${hiddenLength} more characters. See the whole text in the service.`)]
      : []),
  ];
}

/** Builds a block of small print. Strings are mrkdwn. Pass text from people and from the service as `plain`. */
export function context(...texts: readonly (string | PlainTextElement)[]): ContextBlock {
  const elements = texts.slice(0, LIMITS.contextElements);
  return {
    type: 'context',
    // All elements are on one line, so a bidi control character in a name would reverse the following elements.
    elements: elements.map((text) =>
      typeof text === 'string' ? mrkdwn(text) : { ...text, text: stripBidiControls(text.text) || ' ' },
    ),
  };
}

export function actions(...elements: ActionsBlockElement[]): ActionsBlock {
  return { type: 'actions', elements };
}

/** Builds a row of buttons. Slack refuses an empty one, so without buttons there is no block. */
export function buildButtonRow(buttons: readonly ActionsBlockElement[]): ActionsBlock[] {
  return buttons.length === 0 ? [] : [actions(...buttons)];
}

/** More buttons on a card would be hard to choose from. Our own limit. */
const MAX_CARD_BUTTONS = 3;

/** Builds a card's row: up to three buttons, and as many others as fit in the menu ⋯, whose id has `prefix`. */
export function buildCardActions(prefix: string, buttons: readonly Button[]): ActionsBlock[] {
  const count = Math.max(MAX_CARD_BUTTONS, buttons.length - LIMITS.menuOptions);
  const others = buttons.slice(count);
  const menu = others.length > 0 ? [buildButtonMenu(prefix, others)] : [];
  return buildButtonRow([...buttons.slice(0, count), ...menu]);
}

const MENU_SUFFIX = '.menu';

/** Builds the menu ⋯ with entries for buttons. Choosing one counts as a press, without a confirmation dialog. */
export function buildButtonMenu(prefix: string, buttons: readonly Button[]): Overflow {
  return {
    type: 'overflow',
    action_id: `${prefix}${MENU_SUFFIX}`,
    options: buttons.map(({ text, action_id: id = '', value = '' }) => option(text.text, `${id} ${value}`)),
  };
}

/** Parses a chosen entry of such a menu as the press of its button. Undefined for other elements. */
export function parseMenuChoice(
  actionId: string,
  chosen: string | undefined,
): { id: string; value: string } | undefined {
  if (chosen === undefined || !actionId.endsWith(MENU_SUFFIX)) return undefined;
  const [id = '', value = ''] = chosen.split(' ');
  return { id, value };
}

/** Builds a button. `value` is an opaque id. The handler checks whether the actor may use the row with this id. */
export function button(text: string, actionId: string, value?: string, style?: 'primary' | 'danger'): Button {
  return {
    type: 'button',
    text: plain(stripBidiControls(text), LIMITS.buttonText),
    action_id: actionId,
    ...(value !== undefined && { value }),
    ...(style && { style }),
  };
}

/** Adds what a screen reader says instead of a button's text, which several buttons of a list may share. */
export function addAccessibilityLabel(base: Button, name: string): Button {
  return { ...base, accessibility_label: clipLine(name, LIMITS.buttonText) };
}

/**
 * Adds a dialog that asks before a press. `danger` makes its button red, for deletions:
 * https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object/
 */
export function withConfirmation(
  base: Button,
  dialog: { title: string; text: string; confirm: string; deny?: string; style?: 'primary' | 'danger' },
): Button {
  const { title, text, confirm, deny = 'Cancel', style } = dialog;
  return {
    ...base,
    confirm: {
      title: plain(title, LIMITS.confirmTitle),
      text: plain(text, LIMITS.confirmText),
      confirm: plain(confirm, LIMITS.confirmButton),
      deny: plain(deny, LIMITS.confirmButton),
      ...(style && { style }),
    },
  };
}

export function option(text: string, value: string, description?: string): PlainTextOption {
  return {
    text: plain(stripBidiControls(text), LIMITS.optionText),
    value,
    ...(description !== undefined && { description: plain(description, LIMITS.optionText) }),
  };
}

/** Converts records to options, without those with too long an id. Records that look the same show their ids. */
export function toOptions(records: readonly { id: string; name: string }[]): PlainTextOption[] {
  const shown = records
    .filter(({ id }) => id.length <= LIMITS.optionValue)
    .map(({ id, name }) => ({ id, name, look: normalizeLook(option(name, id).text.text) }));
  const byLook = Map.groupBy(shown, ({ look }) => look);
  return shown.map(({ id, name, look }) =>
    option(name, id, byLook.get(look)?.length === 1 ? undefined : `ID ${id}`),
  );
}

/** Builds a large title. Slack shows no formatting in it. */
export function header(text: string): HeaderBlock {
  return { type: 'header', text: plain(text, LIMITS.header) };
}

export function divider(): DividerBlock {
  return { type: 'divider' };
}

/**
 * Renders an instant as mrkdwn that Slack shows in the zone of each reader. `fallback` is mrkdwn too, and
 * defaults to the time in UTC: https://docs.slack.dev/messaging/formatting-message-text/#date-formatting
 */
export function renderDateForReaders(
  instant: Date,
  format: string,
  fallback = `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
): string {
  return `<!date^${Math.floor(instant.getTime() / 1000)}^${format}|${fallback}>`;
}

/** The value of an option that only shows a note. Choosing it counts as no choice. */
export const NO_CHOICE = '-';

/** Builds a note in a menu: a single option that can't be chosen. Its text says why other options are missing. */
export function buildNoteOptions(text: string): PlainTextOption[] {
  return [option(text, NO_CHOICE)];
}
