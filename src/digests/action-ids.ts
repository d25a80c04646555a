/** Action ids of the buttons in notices. A button's value is the occurrence's id; for `RESUME`, the digest's id. */
export const CONFIRM_SENT = 'digests.confirm-sent';
export const SEND_AGAIN = 'digests.send-again';
export const RESUME = 'digests.resume';

/** Action id of [Fill Tuesday] and [Schedule a post] in a digest. The value is an encoded `NewPostPrefill`. */
export const FILL_DAY = 'digests.fill';

/** The day and the project of the post that [Fill Tuesday] begins. `date` is a local date: 2026-12-01. */
export interface NewPostPrefill {
  date?: string;
  project?: string;
}

export function encodeNewPostPrefill({ date = '', project = '' }: NewPostPrefill): string {
  return `${date} ${project}`;
}

export function parseNewPostPrefill(value: string): NewPostPrefill {
  const [, date = '', project = ''] = /^(\d{4}-\d\d-\d\d)? (.*)$/s.exec(value) ?? [];
  return { ...(date !== '' && { date }), ...(project !== '' && { project }) };
}
