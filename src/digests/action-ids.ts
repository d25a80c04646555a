/** The buttons of what owners are told; the value is the id of the occurrence or of the digest. */
export const THERE = 'digests.there';
export const AGAIN = 'digests.again';
export const RESUME = 'digests.resume';
