/**
 * Finds markup from people's text in a payload for Slack: mentions, links, broadcasts, and pictures that Slack fetches.
 * The app's own messages contain only dates, mentions by id, links to Slack, and the picture of a post, beside a section or in a block of its own.
 * Any other markup is a fault.
 * https://docs.slack.dev/messaging/formatting-message-text/
 */

/** Markup in the app's own messages: users, channels, user groups, dates, and pages of Slack and of the app. */
const APP_MARKUP = [
  /^@[UW][A-Z0-9]{2,}$/,
  /^#[CDG][A-Z0-9]{2,}$/,
  /^!subteam\^S[A-Z0-9]{2,}$/,
  /^!date\^\d+\^[\w {}:,]+\|[\w ,.:()+–-]+$/,
  /^https?:\/\/[\w.:-]+\/w\/[\w-]{43}\/(?:\?project=[\w%~.-]*)?$/,
  /^https:\/\/(?:[\w-]+\.)?slack\.com\/[\w/?=&.;-]*(?:\|[\w ]+)?$/,
];

/** The address of a post's picture, without a name or password. */
const THUMBNAIL = /^https?:\/\/[^\s/@]+\/[^\s]*\.(?:png|jpe?g|gif)(?:[?#]\S*)?$/i;

/** Fields whose text Slack parses as markup. */
const MARKUP_FIELDS = ['text', 'fallback', 'pretext', 'initial_comment'];

interface MarkupOptions {
  /** Matches ids that exist only in test texts. A mention of such a person is a fault. */
  testOnlyIds?: RegExp;
  /** Addresses to which the app's own messages link. */
  links?: readonly string[];
}

/** Lists the faults, each with its path. */
export function findLiveMarkup(payload: unknown, options: MarkupOptions = {}): string[] {
  return findFaults(payload, '', options);
}

function findFaults(value: unknown, path: string, options: MarkupOptions): string[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => findFaults(item, `${path}/${index}`, options));
  if (typeof value !== 'object' || value === null) return [];
  const type = 'type' in value ? value.type : undefined;
  // Slack parses neither plain text nor the text elements of rich text.
  if (type === 'plain_text' || type === 'text') return [];
  const fieldFaults = Object.entries(value).flatMap(([name, field]) => {
    const fieldPath = `${path}/${name}`;
    if (typeof field !== 'string') return findFaults(field, fieldPath, options);
    if (MARKUP_FIELDS.includes(name))
      return findTextFaults(field, options).map((fault) => `${fieldPath}: ${fault}`);
    const isPicture = name === 'image_url' && (path.endsWith('/accessory') || /\/blocks\/\d+$/.test(path));
    if (isPicture && THUMBNAIL.test(field)) return [];
    // Slack fetches pictures, and a button with an address is a link.
    if (/^(?:url|image_url|thumb_url|title_link)$/.test(name) && !isFromApp(field, options))
      return [`${fieldPath}: link to ${field}`];
    return [];
  });
  return [...fieldFaults, ...findBlockFaults(value, type, path)];
}

function findBlockFaults(value: object, type: unknown, path: string): string[] {
  if (type === 'mrkdwn' && !('verbatim' in value && value.verbatim === true)) {
    return [`${path}: mrkdwn that is not verbatim, so that addresses in it become links`];
  }
  if (type === 'markdown' || type === 'broadcast' || type === 'link')
    return [`${path}: ${type}, which escapes nothing`];
  return [];
}

function findTextFaults(text: string, options: MarkupOptions): string[] {
  const faults: string[] = [];
  const textWithoutMarkup = text.replace(/<([^<>]*)>/g, (token, inside: string) => {
    const isTestOnlyId = options.testOnlyIds?.test(inside) ?? false;
    if (isTestOnlyId || !(APP_MARKUP.some((pattern) => pattern.test(inside)) || isFromApp(inside, options)))
      faults.push(`${token} is live markup`);
    return '';
  });
  if (/[<>]/.test(textWithoutMarkup))
    faults.push(`an unescaped < or > in ${JSON.stringify(text.slice(0, 200))}`);
  if (/&(?!amp;|lt;|gt;)/.test(textWithoutMarkup))
    faults.push(`an unescaped & in ${JSON.stringify(text.slice(0, 200))}`);
  return faults;
}

function isFromApp(address: string, { links = [] }: MarkupOptions): boolean {
  return APP_MARKUP.some((pattern) => pattern.test(address)) || links.some((link) => address === link);
}

/** Finds the missing options of a message. All messages must switch off automatic links, mentions and previews. */
export function findUnsafeOptions(message: object): string[] {
  const options = new Map(Object.entries(message));
  const required = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false };
  return Object.entries(required).flatMap(([name, value]) =>
    options.get(name) === value ? [] : [`${name} is ${String(options.get(name))}, not ${String(value)}`],
  );
}
