import type { Confirmation } from '../../../forms/form.ts';
import { renderFinding } from '../../../posts/platform-rules/platform-rules.ts';
import { renderDestination } from '../../../posts/platforms.ts';
import { renderEditLimit, renderPostBody } from '../../../posts/post-text.ts';
import { context, escapeText, plain, section } from '../../../slack/blocks.ts';
import { type PostContent, toCardPost } from '../sent/post-content.ts';
import { renderMomentLine } from '../when/when-text.ts';
import { findEditability } from './fields.ts';
import { renderNearbyPosts } from './nearby-posts.ts';
import { checkPlatformRules, FINDING_FIELDS, type PlatformRulesState } from './platform-findings.ts';

/** Creates the confirmation of several posts, with a list of their moments. */
export function createPostsConfirmation(
  contents: readonly PostContent[],
  state: PlatformRulesState,
): Confirmation | undefined {
  const [firstContent] = contents;
  if (!firstContent) return undefined;
  const { formContext } = state;
  const { warnings } = checkPlatformRules(state);
  const warningLines = [
    ...renderNearbyPosts(state),
    ...FINDING_FIELDS.flatMap((field) => warnings[field]).map(renderFinding),
  ].map((warning) => `⚠️ ${warning}`);
  const { leadMinutes } = findEditability({ values: firstContent, formContext });
  const isDraft = firstContent.values.status === 'DRAFT';
  const noun = isDraft ? 'drafts' : 'posts';
  const moments = contents.flatMap(({ moment }) => (moment ? [moment] : []));
  const lines = moments.map(
    ({ instant, zone }) => `• ${renderMomentLine({ instant: new Date(instant), zone }, state)}`,
  );
  return {
    title: `${contents.length} ${noun}`,
    submitLabel: isDraft ? `Save ${contents.length} drafts` : `Schedule ${contents.length}`,
    blocks: [
      ...(warningLines.length > 0 ? [section(warningLines.map(escapeText).join('\n'))] : []),
      section(`The same content as *${contents.length} ${noun}*. If one fails, the others still go out.`),
      section(lines.join('\n')),
      context(plain(renderDestination(firstContent.project.name, firstContent.values.platforms))),
      ...renderPostBody(toCardPost(firstContent)),
      context(renderEditLimit(firstContent.values.status, leadMinutes)),
    ],
  };
}
