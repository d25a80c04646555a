import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import type { StoredFile, StoredMessage } from '../state/saved-state.ts';
import { sendEvent } from './send-event.ts';
import { findChannelOfEvents, writeMessage } from './write-message.ts';

/** Writes a message with files, and notifies the apps that are in the channel. */
export function shareFiles(
  site: Site,
  files: readonly StoredFile[],
  message: Omit<StoredMessage, 'ts'>,
): void {
  const posted = writeMessage(site, { ...message, files: files.map(({ id }) => id) });
  const { ts, channel, user } = posted;
  for (const file of files) {
    file.shares.push({ channel, ts });
    const about = { file_id: file.id, file: { id: file.id }, user_id: user, channel_id: channel };
    forEachApp(site, (app) => {
      if (findChannelOfEvents(app, posted)) sendEvent(app, 'file_shared', about);
    });
  }
}
