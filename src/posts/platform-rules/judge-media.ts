import type { Platform } from '../../api/platforms.ts';
import { platformNames } from '../platforms.ts';
import type { Finding, Findings, JudgedPost } from './finding.ts';
import { PLATFORM_RULES } from './rules.ts';

const VIDEO = /\.(?:mp4|m4v|mov|webm|avi|mkv|mpe?g|wmv|flv|3gp)$/i;
const PICTURE = /\.(?:jpe?g|png|gif|webp|avif|heic|bmp|tiff?|svg)$/i;

/**
 * What the platforms say to the media. The service takes one reference as text: whether there is one can be judged,
 * how many files it stands for cannot, and of what kind they are only by the ending of an address.
 */
export function judgeMedia(post: JudgedPost, platforms: readonly Platform[]): Findings {
  const wanting = (media: string) => platforms.filter((name) => PLATFORM_RULES[name].media === media);
  const [any, video] = [wanting('required'), wanting('one video')];
  if (post.media.trim() !== '') return { stops: [], warnings: notOneVideo(post.media, video) };
  const missing = [
    ...(any.length > 0 ? [missingMedia(any, 'media', post)] : []),
    ...(video.length > 0 ? [missingMedia(video, 'one video', post)] : []),
  ];
  return post.contentFromElsewhere ? { stops: [], warnings: missing } : { stops: missing, warnings: [] };
}

function missingMedia(platforms: Platform[], what: string, { contentFromElsewhere }: JudgedPost): Finding {
  const names = platformNames(platforms);
  const needs = `${names} ${platforms.length === 1 ? 'needs' : 'need'} ${what}.`;
  const then = contentFromElsewhere
    ? 'The template or prompt has to bring it.'
    : `Add it, or leave out ${names}.`;
  return { platforms, field: 'Media', words: `${needs} ${then}` };
}

function notOneVideo(media: string, platforms: Platform[]): Finding[] {
  const path = media.trim().replace(/[?#].*$/, '');
  if (platforms.length === 0 || VIDEO.test(path)) return [];
  const what = PICTURE.test(path)
    ? 'This looks like a picture.'
    : 'Whether this is one cannot be seen from here.';
  const words = `${platformNames(platforms)} takes exactly one video. ${what}`;
  return [{ platforms, field: 'Media', words }];
}
