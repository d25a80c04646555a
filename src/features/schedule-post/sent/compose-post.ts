import { normalizeText } from '../../../api/post-fields.ts';
import { findMediaProblem, unwrapMedia } from '../../../posts/media-reference.ts';
import {
  checkPlatforms,
  type Finding,
  mayOmitText,
  renderFinding,
} from '../../../posts/platform-rules/platform-rules.ts';
import { parsePlatforms } from '../../../posts/platforms.ts';
import { LIMITS } from '../../../slack/limits.ts';
import type { DescribedPost, DescribedProblem } from '../../../submissions/kind.ts';
import { MAX_TEXT_LENGTH, splitText } from '../form/text-parts.ts';
import type { PostContent } from './post-content.ts';

/** The part of a described post for each field that the rules of platforms check. */
const PARTS = { Content: 'text', Media: 'media', Platforms: 'platforms' } as const;

/** Creates the content of a described post, as the form would, with what is wrong with it. */
export function composePost(post: DescribedPost): {
  content: PostContent;
  problems: DescribedProblem[];
  warnings: string[];
} {
  const { project, text, isDraft, moment, platforms, slotFrom } = post;
  const media = unwrapMedia(post.media).trim();
  const ownTexts = Object.entries(post.ownTexts ?? {}).filter(
    ([platform, own]) => platforms.includes(platform) && normalizeText(own) !== normalizeText(text),
  );
  const { parts, excessText } = splitText(text);
  const [firstText = '', ...furtherTexts] = parts;
  const content: PostContent = {
    values: {
      project,
      text: firstText,
      ...(furtherTexts.length > 0 && { furtherTexts }),
      platforms: [...platforms],
      ...(ownTexts.length > 0 && { ownTexts: Object.fromEntries(ownTexts) }),
      status: isDraft ? 'DRAFT' : 'SCHEDULED',
      when: '',
      zone: moment?.zone ?? post.zone,
      media,
    },
    project,
    ...(moment && {
      moment: { instant: moment.instant.toISOString(), zone: moment.zone, notes: [...moment.notes] },
    }),
    ...(slotFrom && { slot: { from: slotFrom.toISOString() } }),
  };
  const { stops, warnings } = checkTexts(post, { media, ownTexts });
  return {
    content,
    problems: [
      ...findOwnProblems({ ...post, media }, excessText),
      ...ownTexts.flatMap(([platform, own]) =>
        own.length <= LIMITS.inputText
          ? []
          : [
              {
                part: 'text' as const,
                platform,
                problem: `This text has more than ${MAX_OWN_TEXT} characters.`,
              },
            ],
      ),
      ...stops.map(({ platform, ...finding }) => ({
        ...{ part: PARTS[finding.field], problem: renderFinding(finding) },
        ...(platform !== undefined && { platform }),
      })),
    ],
    warnings: warnings.map(renderFinding),
  };
}

const MAX_OWN_TEXT = LIMITS.inputText.toLocaleString('en-US');

/** Checks the main text for the platforms that get it, and each other text for its platform. */
function checkTexts(
  { text, platforms }: DescribedPost,
  { media, ownTexts }: { media: string; ownTexts: readonly (readonly [platform: string, text: string])[] },
): { stops: (Finding & { platform?: string })[]; warnings: Finding[] } {
  const own = new Map(ownTexts);
  const check = (content: string, names: readonly string[]) =>
    checkPlatforms({ content, media, platforms: parsePlatforms(names) ?? [] });
  const main = check(
    text,
    platforms.filter((platform) => !own.has(platform)),
  );
  const others = ownTexts.map(([platform, content]) => ({ platform, ...check(content, [platform]) }));
  return {
    stops: [
      ...main.stops,
      ...others.flatMap(({ platform, stops }) => stops.map((finding) => ({ ...finding, platform }))),
    ],
    warnings: [...main.warnings, ...others.flatMap((other) => other.warnings)],
  };
}

/** What is wrong whatever the platforms are. */
function findOwnProblems(
  { text, media, platforms, isDraft }: DescribedPost,
  excessText: string,
): DescribedProblem[] {
  const mediaProblem = media === '' ? undefined : findMediaProblem(media);
  const isTextMissing = text.trim() === '' && (media === '' || (!isDraft && !mayOmitText(media, platforms)));
  return [
    ...(isTextMissing ? [{ part: 'text' as const, problem: 'There’s no text. Write one.' }] : []),
    ...(excessText === ''
      ? []
      : [
          {
            part: 'text' as const,
            problem: `This text has more than ${MAX_TEXT_LENGTH.toLocaleString('en-US')} characters. Shorten it.`,
          },
        ]),
    ...(mediaProblem === undefined ? [] : [{ part: 'media' as const, problem: mediaProblem }]),
    ...(platforms.length === 0 && !isDraft
      ? [{ part: 'platforms' as const, problem: 'There’s no platform. Write one, such as LinkedIn.' }]
      : []),
  ];
}
