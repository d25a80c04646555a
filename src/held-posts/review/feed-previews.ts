import type { KnownBlock } from '@slack/types';
import { checkPlatforms, previewFeed } from '../../posts/platform-rules/platform-rules.ts';
import { parsePlatforms } from '../../posts/platforms.ts';
import type { CardPost } from '../../posts/post-text.ts';
import { clip, context, plain, plainSection } from '../../slack/blocks.ts';

/** How a post looks in the feeds of some platforms, which all show the same text. */
interface SharedFeed {
  /** Names of the platforms. */
  platforms: readonly string[];
  notes: readonly string[];
  /** The text before “…see more”. */
  visibleText: string;
  isCut: boolean;
}

/** Lists how a post looks in the feeds of its platforms. Empty for a post without a text of its own. */
function listFeeds({ content = '', media = '', platforms, templateId, promptId }: CardPost): SharedFeed[] {
  if (content.trim() === '') return [];
  const { counts } = checkPlatforms({
    content,
    media,
    platforms: parsePlatforms(platforms) ?? [],
    hasTemplateOrPrompt: templateId !== undefined || promptId !== undefined,
    isRepeated: false,
  });
  const feeds = counts.map((counted) => previewFeed(content, counted));
  const groups = Map.groupBy(feeds, ({ platformName: _, ...feed }) => JSON.stringify(feed));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, platforms: group.map(({ platformName }) => platformName) }] : [];
  });
}

/** Maximum length of a preview, so that a message with all platforms stays within Slack's limit. */
const MAX_PREVIEW_LENGTH = 400;
const MAX_PREVIEWS = 4;

/** Renders how the post looks in the feeds. Platforms that show the same text share a preview. */
export function renderFeedPreviews(post: CardPost): KnownBlock[] {
  const feeds = listFeeds(post);
  const isWhole = ({ isCut, notes }: SharedFeed) => !isCut && notes.length === 0;
  const wholeNames = feeds.filter(isWhole).flatMap(({ platforms }) => platforms);
  const others = feeds.filter((feed) => !isWhole(feed));
  const hidden = others.slice(MAX_PREVIEWS).flatMap(({ platforms }) => platforms);
  return [
    ...others
      .slice(0, MAX_PREVIEWS)
      .flatMap(({ platforms, notes, visibleText, isCut }) => [
        context(plain([`Preview for ${platforms.join(', ')}`, ...notes].join(' · '))),
        plainSection(`${clip(visibleText, MAX_PREVIEW_LENGTH)}${isCut ? '…see more' : ''}`),
      ]),
    ...(wholeNames.length > 0 ? [context(plain(renderWholeFeeds(wholeNames)))] : []),
    ...(hidden.length > 0 ? [context(plain(`Not previewed here: ${hidden.join(', ')}`))] : []),
  ];
}

const NAME_LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });

function renderWholeFeeds(names: readonly string[]): string {
  return `${NAME_LIST.format(names)} ${names.length === 1 ? 'shows' : 'show'} the whole text in the feed.`;
}
