/** Action ids of the buttons in notices. A button's value is the occurrence's id; for `RESUME`, the digest's id. */
export const CONFIRM_SENT = 'digests.confirm-sent';
export const SEND_AGAIN = 'digests.send-again';
export const RESUME = 'digests.resume';
