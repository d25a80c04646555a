/** Action ids of the buttons in notifications. A button's value is the id of the post's submission. */
export const OPEN_POSTS = 'notifications.posts';
export const DUPLICATE = 'notifications.duplicate';
