/** The form's callback_id, and the beginning of all ids of this feature's. */
export const FORM = 'schedule-post';
