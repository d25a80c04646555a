import type { ImageElement } from '@slack/types';
import type { FetchFunction } from '@slack/web-api';
import { clip } from './blocks.ts';
import { LIMITS } from './limits.ts';

/** The formats that Slack shows: https://docs.slack.dev/reference/block-kit/block-elements/image-element/ */
const PICTURE_PATH = /\.(?:png|jpe?g|gif)$/i;
const MAX_NAME_LENGTH = 100;

/** Builds a thumbnail of a public picture on the web. Undefined if the address isn't one. We never fetch it. */
export function buildPicture(address: string | undefined): ImageElement | undefined {
  const url = URL.parse(address ?? '');
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  if (!PICTURE_PATH.test(url.pathname) || url.href.length > LIMITS.pictureAddress) return undefined;
  const name = url.pathname.split('/').at(-1) ?? '';
  return { type: 'image', image_url: url.href, alt_text: `Picture: ${clip(name, MAX_NAME_LENGTH)}` };
}

/** Whether blocks contain a picture that Slack fetches from the web. */
export function hasPictures(blocks: unknown): boolean {
  return JSON.stringify(blocks ?? []).includes('"image_url"');
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
  ...[url, init]: Parameters<FetchFunction>
): ReturnType<FetchFunction> {
  const response = await fetch(url, init);
  const body = init?.body;
  if (typeof body !== 'string' || !body.includes('image_url')) return response;
  if (!(await response.clone().text()).includes('downloading image failed')) return response;
  const parameters = new URLSearchParams(body);
  for (const name of ['blocks', 'view']) {
    const content = parameters.get(name);
    if (content !== null) parameters.set(name, JSON.stringify(removePictures(JSON.parse(content))));
  }
  return fetch(url, { ...init, body: parameters.toString() });
}
