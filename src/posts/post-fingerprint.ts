/** The precision of dates in fingerprints. The service may round dates to the minute. */
const MINUTE_MS = 60_000;

/**
 * Computes the fingerprint of a post. Two posts have the same fingerprint if their project, text, media, platforms,
 * minute and draft status are the same.
 */
export function computePostFingerprint(post: {
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
    normalizeText(post.content),
    normalizeText(post.media),
    platforms,
    minute ?? null,
    post.isDraft,
  ]);
}

function normalizeText(text: string | undefined): string {
  return (text ?? '').trim().normalize('NFC');
}
