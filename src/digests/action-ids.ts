/** Buttons of notices to owners. A button's value is the id of the occurrence or, for `RESUME`, of the digest. */
export const CONFIRM_SENT = 'digests.confirm-sent';
export const SEND_AGAIN = 'digests.send-again';
export const RESUME = 'digests.resume';
