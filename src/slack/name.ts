/** The name of the app in Slack. People type it to invite the app to a channel. */
export const APP_NAME = 'Upnext';
