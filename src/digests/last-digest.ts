/** The note of a transition: what the digest's row stores about its last message. */
export interface LastDigest {
  /** When the message was sent; absent if none was. */
  sent_at?: Date;
  /** Text that the composer gets back with the next occurrence. */
  snapshot?: string | undefined;
}
