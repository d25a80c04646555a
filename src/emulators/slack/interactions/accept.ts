import { isRecord, type Json, stringIn } from '../json.ts';
import type { Problem } from '../rules/problem.ts';
import { createBlocksRefusal, createViewRefusal, validateBlocks, validateView } from '../rules/validate.ts';
import type { Site } from '../site.ts';
import { findFile, findFileByUrl, isImage, isProcessed } from '../state/files.ts';
import { isReachable } from './reachable.ts';

const FILE_ID = /^[F][A-Z0-9]{8,}$/;

/** An image that is here, of a type that Slack shows, and looked through: right after its upload it is not yet. */
function isShowable(site: Site, slackFile: Json): boolean {
  const id = stringIn(slackFile, 'id');
  const url = stringIn(slackFile, 'url');
  const file = id === undefined ? findFileByUrl(site, url ?? '') : findFile(site, id);
  return file !== undefined && isImage(file) && isProcessed(site, file);
}

/** In Slack's words (python-slack-sdk #1521 and #1658). */
function strangeFile(site: Site, slackFile: unknown, pointer: string): Problem[] {
  const id = isRecord(slackFile) ? stringIn(slackFile, 'id') : undefined;
  if (id !== undefined && !FILE_ID.test(id)) {
    return [{ message: `input must match regex pattern: ${FILE_ID.source}`, pointer: `${pointer}/id` }];
  }
  if (isRecord(slackFile) && isShowable(site, slackFile)) return [];
  return [{ message: 'invalid slack file', pointer }];
}

/** Slack fetches a picture before it shows the message, and refuses all of it where that fails (node-slack-sdk #1693). */
function strangePicture(site: Site, url: unknown, pointer: string): Problem[] {
  if (typeof url !== 'string' || isReachable(url, site.url)) return [];
  return [{ message: 'downloading image failed', pointer }];
}

/** Every picture that Slack would not show, in blocks or whatever they stand in. */
function strangePictures(site: Site, value: unknown, pointer: string): Problem[] {
  if (Array.isArray(value)) {
    return value.flatMap((entry, index) => strangePictures(site, entry, `${pointer}/${index}`));
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'image_url') return strangePicture(site, inner, `${pointer}/image_url`);
    if (key !== 'slack_file') return strangePictures(site, inner, `${pointer}/${key}`);
    return strangeFile(site, inner, `${pointer}/slack_file`);
  });
}

/** The blocks, if Slack would take them in a message of this workspace; else refused as `chat.*` does. */
export function acceptBlocks(site: Site, given: unknown): Json[] {
  const blocks = validateBlocks(given);
  const problems = strangePictures(site, blocks, '/blocks');
  if (problems.length > 0) throw createBlocksRefusal(problems);
  return blocks;
}

/** The view, if Slack would take it in this workspace; else refused as `views.*` does. */
export function acceptView(site: Site, given: unknown, type: 'modal' | 'home'): Json {
  const view = validateView(given, type);
  const problems = strangePictures(site, view, '/view');
  if (problems.length > 0) throw createViewRefusal(problems);
  return view;
}
