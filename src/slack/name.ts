/** The name of the app in Slack, which people type to invite it. */
export const APP_NAME = 'Upnext';
