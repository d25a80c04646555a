/** The note of a transition: the data about the last message that is stored in the digest's row. */
export interface LastDigest {
  /** When the message was sent; absent if none was. */
  sent_at?: Date;
  /** Passed to the composer with the next occurrence. */
  snapshot?: string | undefined;
}
