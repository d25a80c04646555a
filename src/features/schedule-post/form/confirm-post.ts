import type { Confirmation } from '../../../forms/form.ts';
import { platformNames } from '../../../posts/platforms.ts';
import { postBody } from '../../../posts/post-card.ts';
import { context, plain, section } from '../../../slack/blocks.ts';
import { cardPost } from '../sent/post-words.ts';
import { momentLine } from '../when/when-words.ts';
import { JUDGED, type JudgedState, judgePost } from './judge-post.ts';
import type { PostContent } from './post-content.ts';

/** Several posts at once are listed once more before they are made; one goes out without. */
export function confirmPosts(contents: readonly PostContent[], state: JudgedState): Confirmation | undefined {
  const [first] = contents;
  if (!first || contents.length === 1) return undefined;
  const { now, facts } = state;
  const { warnings } = judgePost(state);
  const said = JUDGED.flatMap((field) => warnings[field].map((words) => `⚠️ ${words}`));
  const isDraft = first.typed.status === 'DRAFT';
  const what = isDraft ? 'drafts' : 'posts';
  const moments = contents.flatMap(({ moment }) => (moment ? [moment] : []));
  const lines = moments.map(
    ({ instant, zone }) => `• ${momentLine({ instant: new Date(instant), zone }, now, facts.readerZone)}`,
  );
  const { content, media, templateId, promptId } = cardPost(first);
  return {
    title: `${contents.length} ${what}`,
    send: isDraft ? `Save ${contents.length} drafts` : `Schedule ${contents.length}`,
    blocks: [
      section(
        `The same content as *${contents.length} ${what}*, one for each moment. Where one fails, the others still go.`,
      ),
      section(lines.join('\n')),
      context(
        plain(`Project: ${first.project.name}`),
        plain(first.typed.platforms.length > 0 ? platformNames(first.typed.platforms) : 'No platform yet'),
      ),
      ...postBody({ content, media, templateId, promptId, platforms: [] }),
      ...(said.length > 0 ? [context(plain(said.join('\n')))] : []),
      context('None of them can be changed or removed from here once it is sent.'),
    ],
  };
}
