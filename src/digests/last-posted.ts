/** What a digest leaves for the next one. */
export interface LastPosted {
  /** When its message was posted, if it was just now. */
  posted_at?: Date;
  /** What its composer wants to know again the next time. */
  memory?: string | undefined;
}
