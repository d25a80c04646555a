import { BlockList, isIP } from 'node:net';
import { addIds } from '../blocks/add-ids.ts';
import { getString, isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Problem } from '../rules/field-rule.ts';
import {
  createArgumentsRefusal,
  createBlocksRefusal,
  validateBlocks,
  validateView,
} from '../rules/find-problems.ts';
import type { Site } from '../site.ts';
import { canReadFile, findFile, findFileByUrl, isImage, isProcessed } from '../state/files.ts';
import type { MessageContent } from '../state/saved-state.ts';

/** Networks that Slack's servers can't reach. */
const PRIVATE_ADDRESSES = new BlockList();
const IPV4_NETWORKS = '0.0.0.0/8 10.0.0.0/8 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16';
const IPV6_NETWORKS = '::/127 fc00::/7 fe80::/10';
for (const network of `${IPV4_NETWORKS} ${IPV6_NETWORKS}`.split(' ')) {
  const [address = '', bits] = network.split('/');
  PRIVATE_ADDRESSES.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
}

function isPrivateName(host: string): boolean {
  return !host.includes('.') || /\.(?:localhost|local|internal|test|lan)$/.test(host);
}

/** Whether Slack could download a picture from here, by the address alone. These `origins` are reachable. */
function isReachable(address: string, origins: readonly unknown[]): boolean {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  if (origins.includes(url.origin)) return true;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  if (family === 0) return !isPrivateName(host);
  return !PRIVATE_ADDRESSES.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/** Written as in Slack's error text, which contains it. */
const FILE_ID = /^[F][A-Z0-9]{8,}$/;

/** Whether a block can show the file: the app can read it, it is an image, and it was processed after its upload. */
function isShowable(site: Site, slackFile: Json): boolean {
  const id = getString(slackFile, 'id');
  const url = getString(slackFile, 'url');
  const file = id === undefined ? findFileByUrl(site, url ?? '') : findFile(site, id);
  return file !== undefined && canReadFile(site, file) && isImage(file) && isProcessed(site, file);
}

/** The texts are Slack's own (python-slack-sdk #1521 and #1658). */
function findFileProblems(site: Site, slackFile: unknown, pointer: string): Problem[] {
  const id = isRecord(slackFile) ? getString(slackFile, 'id') : undefined;
  if (id !== undefined && !FILE_ID.test(id))
    return [{ message: `input must match regex pattern: ${FILE_ID.source}`, pointer: `${pointer}/id` }];
  if (isRecord(slackFile) && isShowable(site, slackFile)) return [];
  return [{ message: 'invalid slack file', pointer }];
}

/** Slack downloads pictures before it shows a message, and refuses the message if that fails (node-slack-sdk #1693). */
function findPictureProblems(site: Site, url: unknown, pointer: string): Problem[] {
  if (typeof url !== 'string' || isReachable(url, [site.url, site.pictureOrigin])) return [];
  return [{ message: 'downloading image failed', pointer }];
}

/** Finds the pictures and files that Slack couldn't show, at any depth of the value. */
function findProblems(site: Site, value: unknown, pointer: string): Problem[] {
  if (Array.isArray(value))
    return value.flatMap((entry, index) => findProblems(site, entry, `${pointer}/${index}`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'image_url') return findPictureProblems(site, inner, `${pointer}/image_url`);
    if (key !== 'slack_file') return findProblems(site, inner, `${pointer}/${key}`);
    return findFileProblems(site, inner, `${pointer}/slack_file`);
  });
}

/** Returns the blocks if Slack accepts them in a message. Otherwise throws the error of `chat.*`. */
export function acceptBlocks(site: Site, given: unknown): Json[] {
  const blocks = validateBlocks(given);
  const problems = findProblems(site, blocks, '/blocks');
  if (problems.length > 0) throw createBlocksRefusal(problems);
  return blocks;
}

/** Returns the view if Slack accepts it. Otherwise throws the error of `views.*`. */
export function acceptView(site: Site, given: unknown, type: 'modal' | 'home'): Json {
  const view = validateView(given, type);
  const problems = findProblems(site, view, '/view');
  if (problems.length > 0) throw createArgumentsRefusal(problems);
  return view;
}

/** The `fallback` of an attachment without text (docs.slack.dev, "Legacy secondary message attachments"). */
const DEFAULT_FALLBACK = '[no preview available]';

function acceptBlocksOf(site: Site, attachment: Json): { blocks?: Json[] } {
  if (attachment.blocks === undefined) return {};
  try {
    return { blocks: addIds(acceptBlocks(site, attachment.blocks)) };
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal('invalid_attachments', error.details);
    throw error;
  }
}

/** Returns the attachments as Slack does: numbered, with a fallback, and with the colour without `#`. */
export function acceptAttachments(site: Site, given: unknown): Json[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given) || !given.every(isRecord)) throw new Refusal('invalid_attachments');
  return given.map((attachment, index) => {
    const color = getString(attachment, 'color');
    return {
      id: index + 1,
      ...attachment,
      ...(color === undefined ? {} : { color: color.replace('#', '') }),
      ...acceptBlocksOf(site, attachment),
      fallback: getString(attachment, 'fallback') ?? getString(attachment, 'text') ?? DEFAULT_FALLBACK,
    };
  });
}

/** Returns the content of a message. Throws `no_text` if all of it is empty or blank, and the errors of its parts. */
export function acceptContent(
  site: Site,
  given: { text: string; blocks: unknown; attachments: unknown },
): MessageContent {
  const { text } = given;
  const blocks = given.blocks === undefined ? [] : addIds(acceptBlocks(site, given.blocks));
  const attachments = acceptAttachments(site, given.attachments);
  if (text.trim() === '' && blocks.length === 0 && attachments.length === 0) throw new Refusal('no_text');
  return {
    text,
    ...(blocks.length > 0 ? { blocks } : {}),
    ...(attachments.length > 0 ? { attachments } : {}),
  };
}
