/** The service may round a moment: of it only its minute counts. */
const MINUTE_MS = 60_000;

/** What makes two posts equal to a person, with their project: the same text, media, platforms and minute. */
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
    plain(post.content),
    plain(post.media),
    platforms,
    minute ?? null,
    post.isDraft,
  ]);
}

function plain(words: string | undefined): string {
  return (words ?? '').trim().normalize('NFC');
}
