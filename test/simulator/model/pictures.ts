import type { CreatedPost } from '../history.ts';

/**
 * Pictures, which are known by their width: a post has the picture of the form that people sent last, and the service can
 * fetch it when it publishes the post.
 */
export function createPictureCheck() {
  /** The pictures of each form, undefined for a form without one. */
  const chosen = new Map<string, (number | undefined)[]>();
  /** The picture of the last form of each post that has gone out. */
  const expected = new Map<string, number>();
  /** Posts whose pictures were deleted with everything else of their workspace, or lost with a backup. */
  const lost = new Set<string>();

  return {
    addForm(token: string, picture: number | 'kept' | undefined): void {
      const earlier = chosen.get(token) ?? [];
      // A copy has the picture of another post.
      if (picture === 'kept' && earlier.length === 0) return;
      chosen.set(token, [...earlier, picture === 'kept' ? earlier.at(-1) : picture]);
    },
    /** `isSaved`: whether somebody read that the last form is saved. */
    addPost({ media, content }: CreatedPost, token: string, isSaved: boolean): string[] {
      const pictures = (chosen.get(token) ?? []).slice(isSaved ? -1 : 0);
      if (pictures.length === 0) return [];
      const [last] = pictures;
      if (isSaved && last !== undefined) expected.set(token, last);
      const hasPicture = media !== undefined;
      if (pictures.some((picture) => hasPicture === (picture !== undefined))) return [];
      return [
        hasPicture
          ? `“${content}” went out with a picture that nobody chose`
          : `“${content}” went out without its picture`,
      ];
    },
    publish(token: string, { picture }: { picture?: number | 'missing' | undefined }): string[] {
      if (picture === 'missing')
        return lost.has(token) ? [] : [`the picture of ${token} was gone when it was published`];
      const last = expected.get(token);
      if (last !== undefined && picture !== undefined && picture !== last)
        return [`${token} was published with picture ${picture} instead of ${last}, which was saved last`];
      const isKnown = picture === undefined || !chosen.has(token) || chosen.get(token)?.includes(picture);
      return isKnown ? [] : [`${token} was published with another picture, ${picture}`];
    },
    forget(isLost: (token: string) => boolean): void {
      for (const token of chosen.keys()) if (isLost(token)) lost.add(token);
    },
  };
}
