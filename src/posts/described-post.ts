/** A post as a file describes it. */
export interface DescribedPost {
  project: { id: string; name: string };
  text: string;
  /** A link to media or another reference; '' for none. */
  media: string;
  /** Describes the media. Not used without any. */
  altText?: string | undefined;
  platforms: readonly string[];
  /** The texts of platforms that get another text, by platform. */
  ownTexts?: Readonly<Record<string, string>> | undefined;
  isDraft: boolean;
  /** The zone for a time that is still to be chosen; an IANA name. */
  zone: string;
  /** Absent for a draft without a time. `notes`: assumptions about the time, in sentences. */
  moment?: { instant: Date; zone: string; notes: readonly string[] } | undefined;
  /** From when on the post takes the first free slot. `moment` is then the slot that was free when the file was read. */
  slotFrom?: Date | undefined;
}

/** What is wrong with a part of a described post, and what to do; plain text. */
export interface DescribedProblem {
  part: 'text' | 'media' | 'altText' | 'platforms';
  /** The platform whose own text it is about. */
  platform?: string | undefined;
  problem: string;
}
