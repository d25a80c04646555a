/** Dates are compared by the minute, because the service may round them. */
const MINUTE_MS = 60_000;

/** Equal for posts that a person would call the same: same project, text, media, platforms, minute and draft status. */
export function postFingerprint(post: {
  projectId: string;
  content: string | undefined;
  media: string | undefined;
  platforms: readonly string[];
  scheduleDate: Date | undefined;
  isDraft: boolean;
}): string {
  const minute = post.scheduleDate && Math.floor(post.scheduleDate.getTime() / MINUTE_MS);
  const platforms = [...new Set(post.platforms)].sort();
  return JSON.stringify([
    post.projectId,
    normalize(post.content),
    normalize(post.media),
    platforms,
    minute ?? null,
    post.isDraft,
  ]);
}

function normalize(text: string | undefined): string {
  return (text ?? '').trim().normalize('NFC');
}
