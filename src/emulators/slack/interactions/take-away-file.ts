import type { Site } from '../site.ts';
import { findMessage, redrawMessage } from '../state/messages.ts';
import type { StoredFile } from '../state/saved-file.ts';
import { removeMessage } from './write-message.ts';

/** Deletes a file, and with it the messages that held nothing else. */
export function takeAwayFile(site: Site, file: StoredFile): void {
  file.deleted = true;
  site.fileStore.remove(file.id).catch((error: unknown) => {
    console.error('A file of the workspace could not be removed:', error);
  });
  site.touch();
  for (const share of file.shares) {
    const message = findMessage(site, share.channel, share.ts);
    if (!message) continue;
    const left = (message.files ?? []).some((id) => site.state.files[id]?.deleted !== true);
    if (left || message.text !== '' || message.blocks) redrawMessage(site, message);
    else removeMessage(site, message);
  }
}
