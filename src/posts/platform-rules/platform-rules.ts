/** The public interface of this folder: the rules of each platform. Other modules import only this file. */

export { checkPlatforms, type Finding, renderFinding } from './check-platforms.ts';
export { type FeedPreview, previewFeed, renderCounts } from './count-text.ts';
export { MIN_POST_GAP_MS } from './rules.ts';
