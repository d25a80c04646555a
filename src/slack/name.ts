/** What the app is called in Slack, and what people type to invite it. */
export const APP_NAME = 'Upnext';
