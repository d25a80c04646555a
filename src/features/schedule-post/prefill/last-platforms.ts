import { z } from 'zod';
import type { Call } from '../../../app/call.ts';
import { isSame } from '../../../forms/stored-form.ts';

/** The platforms of the latest post in a project, as the form context stores them. */
export const lastPlatformsSchema = z.object({
  project: z.string(),
  platforms: z.array(z.string()),
  /** The platforms that the form has prefilled for the project that was chosen before. */
  replaced: z.array(z.string()),
  isPrefilled: z.boolean(),
});
type LastPlatforms = z.infer<typeof lastPlatformsSchema>;

/** Minimal submission kind for the platforms of posts. */
const postKind = {
  name: 'post',
  content: z.object({ values: z.object({ platforms: z.array(z.string()) }) }),
};

/** Maximum posts to search for platforms. The latest one may be a draft without platforms. */
const MAX_LATEST_POSTS = 5;

/** Finds the platforms of the project's latest post that was sent from Slack. */
export async function updateLastPlatforms(
  call: Call,
  project = '',
  previous?: LastPlatforms,
): Promise<LastPlatforms> {
  if (previous?.project === project) return previous;
  const { workspace } = call.actor;
  const posts = call.may('contributor', project)
    ? await call.context.submissions.listConfirmed(postKind, { workspace, project, limit: MAX_LATEST_POSTS })
    : [];
  const platforms =
    posts.map(({ content }) => content.values.platforms).find((list) => list.length > 0) ?? [];
  return { project, platforms, replaced: previous?.platforms ?? [], isPrefilled: false };
}

/** Prefills the platforms of the project's latest post once, unless somebody has chosen platforms. */
export function prefillPlatforms<Context extends { lastPlatforms?: LastPlatforms | undefined }>(
  { platforms, project }: { platforms: string[]; project?: { id: string } | undefined },
  formContext: Context,
): { platforms: string[]; formContext: Context } {
  const { lastPlatforms } = formContext;
  if (!lastPlatforms || lastPlatforms.isPrefilled || lastPlatforms.project !== project?.id)
    return { platforms, formContext };
  return {
    platforms: isSame(platforms, lastPlatforms.replaced) ? lastPlatforms.platforms : platforms,
    formContext: { ...formContext, lastPlatforms: { ...lastPlatforms, isPrefilled: true } },
  };
}
